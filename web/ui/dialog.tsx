import { Button, Drawer, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { hasLapsed, session } from '../api/session.ts'
import { leaving } from './leave/unsaved.ts'
import { Note } from './state.tsx'
import { texts } from './texts.ts'

type Props = {
  title: ReactNode
  opened: boolean
  close: () => void
  children: ReactNode
  size?: string
  /** It stands over whatever else is open. */
  over?: boolean
  /** Nothing of what it stands over is to be read. */
  veils?: boolean
  /** It shows what is never shown again. */
  once?: boolean
  /** Whether leaving would lose something; else that is told by whether something was typed. */
  unsaved?: boolean
  /** Called once it has gone, and the focus has gone back. */
  closed?: () => void
}

/**
 * A dialog. Leaving it by Escape or beside it asks first where something was typed in it, or where it shows what is
 * shown `once`. Mantine's scroll lock makes a style element, which the Content-Security-Policy forbids;
 * `data-lock-page` does the same by a rule of styles/base.css.
 */
export function Dialog({
  title,
  opened,
  close,
  children,
  size = '34rem',
  over = false,
  veils = false,
  once = false,
  unsaved,
  closed,
}: Props) {
  // A key pressed in what stands over a form must not close the form as well.
  const isAsked = leaving.use() !== null
  const covered = (hasLapsed(session.use()) || isAsked) && !over
  const [typed, setTyped] = useState(false)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (opened) return
    setTyped(false)
    setAsking(false)
  }, [opened])
  useHeldBack(opened && unsaved === true, () => setAsking(true))
  return (
    <Modal
      opened={opened}
      onClose={() => (once || (unsaved ?? typed) ? setAsking(true) : close())}
      {...(closed ? { onExitTransitionEnd: closed } : {})}
      title={title}
      size={size}
      lockScroll={false}
      centered
      closeOnEscape={!covered}
      trapFocus={!covered}
      zIndex={over ? 300 : 200}
      {...(veils ? { overlayProps: { backgroundOpacity: 0.85, blur: 8 } } : {})}
      transitionProps={{ transition: 'fade', duration: 90 }}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div data-lock-page onInput={() => setTyped(true)}>
        {children}
      </div>
      {asking ? <Leave once={once} leave={close} stay={() => setAsking(false)} /> : null}
    </Modal>
  )
}

/** While something is unsaved the browser's way back asks too, and so does closing the page. */
function useHeldBack(held: boolean, ask: () => void): void {
  const asking = useRef(ask)
  asking.current = ask
  useEffect(() => {
    if (!held) return
    const stay = () => history.pushState(history.state, '', location.href)
    const back = () => {
      stay()
      asking.current()
    }
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    stay()
    addEventListener('popstate', back)
    addEventListener('beforeunload', leave)
    return () => {
      removeEventListener('popstate', back)
      removeEventListener('beforeunload', leave)
      history.back()
    }
  }, [held])
}

function Leave({ once, leave, stay }: { once: boolean; leave: () => void; stay: () => void }) {
  return (
    <div className="dialog-leave" role="alert">
      <Note tone="warn" title={once ? texts.closeWhatIsShownOnce : texts.closeWhatWasTyped}>
        <div className="actions">
          <Button size="xs" color="red" onClick={leave}>
            {texts.closeAnyway}
          </Button>
          <Button size="xs" variant="default" onClick={stay} autoFocus>
            {texts.stay}
          </Button>
        </div>
      </Note>
    </div>
  )
}

/** The menu of a phone fills its sheet. */
const MENU = { content: 'menu-sheet', header: 'menu-sheet', body: 'menu-sheet-body' }

/** The same at the side: for what is looked at beside the page. */
export function SideSheet({
  title,
  opened,
  close,
  children,
  size = '36rem',
  left = false,
}: Props & { left?: boolean }) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      position={left ? 'left' : 'right'}
      lockScroll={false}
      {...(left ? { classNames: MENU } : {})}
      transitionProps={{ duration: 110 }}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div data-lock-page>{children}</div>
    </Drawer>
  )
}
