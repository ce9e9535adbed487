import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ApiError } from '../api/errors.ts'
import { number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { CopyButton } from './copy.tsx'

/** An error in the API's own words, with the id under which the panel's log knows the request. */
export function ErrorNote({
  error,
  retry,
  focus = false,
}: {
  error: ApiError
  retry?: () => void
  focus?: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  return (
    <div className="note note-bad" role="alert" ref={box} tabIndex={-1}>
      <p className="note-title">{error.detail}</p>
      {error.campos.length > 0 ? (
        <ul className="bullets">
          {error.campos.map(({ campo, mensaje }) => (
            <li key={campo + mensaje}>
              {campo ? <code>{campo}</code> : null} {mensaje}
            </li>
          ))}
        </ul>
      ) : null}
      <Details error={error} />
      <p className="note-meta">
        <code>{error.codigo}</code>
        {error.peticion ? (
          <>
            <span>
              {t('Request', 'Petición')} <code>{error.peticion}</code>
            </span>
            <CopyButton value={error.peticion} label={t('Copy the request id', 'Copiar el id de petición')} />
          </>
        ) : null}
        {retry ? (
          <Button size="compact-xs" variant="default" onClick={retry}>
            {t('Try again', 'Reintentar')}
          </Button>
        ) : null}
      </p>
    </div>
  )
}

/** What else the problem tells: when to come back, what was seen and what was expected. */
function Details({ error }: { error: ApiError }) {
  const { visto, esperado } = error.members
  return (
    <>
      {error.retryAfterSeconds ? (
        <p>
          {t('Try again in', 'Reintente en')} {number(error.retryAfterSeconds)} s.
        </p>
      ) : null}
      {Array.isArray(visto) ? (
        <p>
          {t('Seen', 'Visto')}: <code>{visto.length > 0 ? visto.join(', ') : '—'}</code>
        </p>
      ) : null}
      {Array.isArray(esperado) ? (
        <p>
          {t('Expected', 'Esperado')}: <code>{esperado.join(', ')}</code>
        </p>
      ) : null}
    </>
  )
}
