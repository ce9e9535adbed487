import { useState } from 'react'
import { curlOf, tokenMay } from '../api/curl.ts'
import type { InputOf, Operation } from '../api/operations.ts'
import { t } from '../i18n/language.ts'
import { CopyButton } from './copy.tsx'

/** The exact request of a form as a command for a token, or the sentence that a token may not. */
export function ApiCall<K extends Operation>({ op, input }: { op: K; input: InputOf<K> }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="api-call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Show as API call', 'Ver como llamada a la API')}</summary>
      {open ? <Command op={op} input={input} /> : null}
    </details>
  )
}

function Command<K extends Operation>({ op, input }: { op: K; input: InputOf<K> }) {
  if (!tokenMay(op)) {
    return (
      <p>
        <code>{op}</code> —{' '}
        {t(
          'This operation cannot be done with an API token: it needs a person, signed in to the panel.',
          'Esta operación no se puede hacer con un token de API: requiere una persona que haya entrado en el panel.',
        )}
      </p>
    )
  }
  // An input is made of path parameters, query and body.
  const command = curlOf(op, input as Parameters<typeof curlOf>[1], location.origin)
  return (
    <div className="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{command}</pre>
      <CopyButton value={command} label={t('Copy the command', 'Copiar la orden')} />
    </div>
  )
}
