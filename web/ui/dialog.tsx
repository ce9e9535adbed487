import { Drawer, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { hasLapsed, session } from '../api/session.ts'
import { t } from '../i18n/language.ts'

type Props = {
  title: ReactNode
  opened: boolean
  close: () => void
  children: ReactNode
  size?: string
  /** It stands over whatever else is open. */
  over?: boolean
}

/**
 * A dialog. Mantine's scroll lock makes a style element, which the Content-Security-Policy forbids;
 * `data-lock-page` does the same by a rule of styles/base.css.
 */
export function Dialog({ title, opened, close, children, size = '34rem', over = false }: Props) {
  // A key pressed in the sign-in over a form must not close the form as well.
  const covered = hasLapsed(session.use()) && !over
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      lockScroll={false}
      centered
      closeOnEscape={!covered}
      trapFocus={!covered}
      zIndex={over ? 300 : 200}
      {...(over ? { overlayProps: { backgroundOpacity: 0.85, blur: 8 } } : {})}
      transitionProps={{ transition: 'fade', duration: 90 }}
      closeButtonProps={{ 'aria-label': t('Close', 'Cerrar') }}
    >
      <div data-lock-page>{children}</div>
    </Modal>
  )
}

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
      transitionProps={{ duration: 110 }}
      closeButtonProps={{ 'aria-label': t('Close', 'Cerrar') }}
    >
      <div data-lock-page>{children}</div>
    </Drawer>
  )
}
