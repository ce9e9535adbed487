import type { ItemOf } from '../../api/operations.ts'
import { dateTime } from '../../text/format.ts'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Site = Pick<ItemOf<'GET /api/sitios'>, 'https'>

/** What is waited for is no alarm: a domain that is new here leads elsewhere on its first day. */
export function CertificateFault({ https: { estado, error, se_reintenta } }: Site) {
  if (error === null) return null
  return (
    <Note tone={estado === 'error' ? 'bad' : 'info'} {...(estado === 'error' ? { title: error } : {})}>
      {estado === 'error' ? null : <p>{error}</p>}
      {se_reintenta ? <p>{texts.looksAgain(dateTime(se_reintenta))}</p> : null}
    </Note>
  )
}
