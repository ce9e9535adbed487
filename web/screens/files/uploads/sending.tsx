import { Button } from '@mantine/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Note } from '../../../ui/state.tsx'
import { nameOf, shownName } from '../paths.ts'
import { texts } from '../texts.ts'
import { broughtSite, type Dropped, lifted, prepared } from './dropped.ts'
import { uploadFiles } from './queue.ts'

type Send = (found: Dropped | Promise<Dropped>) => Promise<void>

const Sending = createContext<Send>(async () => undefined)

/** Uploads what was dropped or chosen, and tells above the folder what could not be. */
export const useSend = (): Send => useContext(Sending)

const SHOWN = 5

type AreaProps = { domain: string; path: string; served: string; children: ReactNode }

/** The place that uploads of a folder begin in; `served` is the one that visitors see. */
export function SendingArea({ domain, path, served, children }: AreaProps) {
  const [error, setError] = useState<ApiError | null>(null)
  const [unread, setUnread] = useState<string[]>([])
  const [asked, setAsked] = useState<Brought | null>(null)
  const caught = async (work: () => Promise<void>) => {
    await work().catch((thrown) => setError(asApiError(thrown)))
  }
  const upload = (dropped: Dropped) => caught(async () => uploadFiles(await prepared(domain, dropped)))
  const send: Send = (found) => {
    setError(null)
    setUnread([])
    return caught(async () => {
      const dropped = await found
      setUnread(dropped.unread)
      const top = path === served ? broughtSite(dropped, path) : null
      if (top === null) await upload(dropped)
      else setAsked({ dropped, top })
    })
  }
  const answer = (chosen: Dropped) => {
    setAsked(null)
    void upload(chosen)
  }
  return (
    <Sending.Provider value={send}>
      {error ? <ErrorNote error={error} focus /> : null}
      <div role="status">{unread.length > 0 ? <Unread names={unread} /> : null}</div>
      {children}
      <Dialog title={texts.broughtSite} opened={asked !== null} close={() => setAsked(null)}>
        {asked ? <Question brought={asked} answer={answer} /> : null}
      </Dialog>
    </Sending.Provider>
  )
}

type Brought = { dropped: Dropped; top: string }

/** A whole site in a folder of its own is mostly meant to be what visitors see first. */
function Question({
  brought: { dropped, top },
  answer,
}: {
  brought: Brought
  answer: (chosen: Dropped) => void
}) {
  const name = shownName(nameOf(top))
  return (
    <div className="form">
      <p>{texts.whatIsBrought(name)}</p>
      <div className="form-foot">
        <Button onClick={() => answer(lifted(dropped, top))}>{texts.uploadContent}</Button>
        <Button variant="default" onClick={() => answer(dropped)}>
          {texts.uploadAsFolder(name)}
        </Button>
      </div>
    </div>
  )
}

const Unread = ({ names }: { names: string[] }) => (
  <Note tone="warn" title={texts.unread}>
    <ul className="bullets">
      {names.slice(0, SHOWN).map((name) => (
        <li key={name}>
          <bdi>{shownName(name)}</bdi>
        </li>
      ))}
    </ul>
    {names.length > SHOWN ? <p>{texts.andMore(String(names.length - SHOWN))}</p> : null}
    <p>{texts.unreadAdvice}</p>
  </Note>
)
