import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { phpLogPath } from '../../links.ts'
import { number, relative } from '../../text/format.ts'
import { Note } from '../../ui/state.tsx'
import { shownMessage } from '../logs/shown-address.ts'
import { texts } from './texts.ts'

const HOUR_MS = 3_600_000
const AGAIN_MS = 60_000
const MOST = 200

/** That the site's programs failed lately, and how the last of them did; nothing where none has. */
export function PhpErrors({ domain }: { domain: string }) {
  const [desde] = useState(() => new Date(Date.now() - HOUR_MS).toISOString())
  const query = { tipo: 'php', desde, limite: String(MOST) } as const
  const read = useRead(
    'GET /api/sitios/:domain/bitacora',
    { params: { domain }, query },
    { again: () => AGAIN_MS },
  )
  const begin = new Date(Date.now() - HOUR_MS).toISOString()
  const errors = (read.data?.datos ?? []).flatMap((row) =>
    'texto' in row && row.nivel === 'error' && row.cuando >= begin ? [row] : [],
  )
  const [last] = errors
  if (!last) return null
  const more = read.data?.siguiente != null
  return (
    <Note tone="bad" title={texts.phpErrors(`${number(errors.length)}${more ? '+' : ''}`)}>
      <p>{texts.lastError(relative(last.cuando))}</p>
      <pre className="log-text">{shownMessage(last.texto).split('\n')[0]}</pre>
      <p>
        <Link href={phpLogPath(domain)}>{texts.seePhpLog}</Link>
      </p>
    </Note>
  )
}
