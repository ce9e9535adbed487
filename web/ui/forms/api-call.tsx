import { useState } from 'react'
import { curlOf, tokenMay } from '../../api/curl.ts'
import { useRead } from '../../api/hooks.ts'
import type { InputOf, Operation } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { CopyButton } from '../copy.tsx'
import { useIsOperator } from '../look/wire.tsx'
import { texts } from './texts.ts'

/** For operators, the exact request of a form as a command for a token, or the sentence that a token may not. */
export function ApiCall<K extends Operation>({ op, input }: { op: K; input: InputOf<K> }) {
  const [open, setOpen] = useState(false)
  if (!useIsOperator()) return null
  return (
    <details className="api-call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.showAsApiCall}</summary>
      {open ? <Command op={op} input={input} /> : null}
    </details>
  )
}

function Command<K extends Operation>({ op, input }: { op: K; input: InputOf<K> }) {
  if (!tokenMay(op)) {
    return (
      <p>
        <code>{op}</code> — {texts.notWithAToken}
      </p>
    )
  }
  return <CommandLine op={op} input={input} />
}

/** A request as a command to be copied, and where the certificate is that it has to be given. */
export function CommandLine<K extends Operation>({ op, input }: { op: K; input: InputOf<K> }) {
  const own = useRead('GET /api/conexion', {}).data?.autofirmado ?? false
  // An input is made of path parameters, query and body.
  const loose = input as Parameters<typeof curlOf>[1]
  const command = curlOf(op, loose, { origin: location.origin, own })
  return (
    <>
      <div className="command">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <pre tabIndex={0}>{command}</pre>
        <CopyButton value={command} label={common.copyTheCommand} />
      </div>
      {own ? <p className="faint small">{texts.whereCertificateIs}</p> : null}
    </>
  )
}
