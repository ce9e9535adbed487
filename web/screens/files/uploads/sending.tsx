import { createContext, type ReactNode, useContext, useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Note } from '../../../ui/state.tsx'
import { shownName } from '../paths.ts'
import { texts } from '../texts.ts'
import { type Dropped, prepared } from './dropped.ts'
import { uploadFiles } from './queue.ts'

type Send = (found: Dropped | Promise<Dropped>) => Promise<void>

const Sending = createContext<Send>(async () => undefined)

/** Uploads what was dropped or chosen, and tells above the folder what could not be. */
export const useSend = (): Send => useContext(Sending)

const SHOWN = 5

/** The place that uploads of a folder begin in. */
export function SendingArea({ domain, children }: { domain: string; children: ReactNode }) {
  const [error, setError] = useState<ApiError | null>(null)
  const [unread, setUnread] = useState<string[]>([])
  const send: Send = async (found) => {
    setError(null)
    setUnread([])
    try {
      const dropped = await found
      setUnread(dropped.unread)
      uploadFiles(await prepared(domain, dropped))
    } catch (thrown) {
      setError(asApiError(thrown))
    }
  }
  return (
    <Sending.Provider value={send}>
      {error ? <ErrorNote error={error} focus /> : null}
      <div role="status">{unread.length > 0 ? <Unread names={unread} /> : null}</div>
      {children}
    </Sending.Provider>
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
