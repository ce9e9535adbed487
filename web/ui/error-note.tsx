import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ApiError } from '../api/errors.ts'
import { common } from '../text/common.ts'
import { fieldWords } from '../text/field-names.ts'
import { number } from '../text/format.ts'
import { CopyButton } from './copy.tsx'
import { texts } from './texts.ts'

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
      {error.isInOtherLanguage ? <OtherLanguage /> : <Said error={error} />}
      {retry ? (
        <div>
          <Button size="compact-xs" variant="default" onClick={retry}>
            {texts.tryAgain}
          </Button>
        </div>
      ) : null}
      <Meta error={error} />
    </div>
  )
}

/** What an operator is asked for by whoever helps: the code, and the id in the panel's log. */
function Meta({ error: { codigo, peticion } }: { error: ApiError }) {
  return (
    <details className="note-details">
      <summary>{common.details}</summary>
      <p className="note-meta">
        <span>
          {texts.errorCode} <code>{codigo}</code>
        </span>
        {peticion ? (
          <>
            <span>
              {common.request} <code>{peticion}</code>
            </span>
            <CopyButton value={peticion} label={common.copyTheRequestId} />
          </>
        ) : null}
      </p>
    </details>
  )
}

/** In the API's own words, each field by its label. */
function Said({ error }: { error: ApiError }) {
  return (
    <>
      <p className="note-title">{error.detail}</p>
      {error.campos.length > 0 ? (
        <ul className="bullets">
          {error.campos.map(({ campo, mensaje }) => (
            <li key={campo + mensaje}>{campo ? `${fieldWords(campo)}: ${mensaje}` : mensaje}</li>
          ))}
        </ul>
      ) : null}
      <Details error={error} />
    </>
  )
}

/** An answer to what was sent is not asked for again by itself: that would send it. */
function OtherLanguage() {
  return (
    <>
      <p className="note-title">{texts.answerInOtherLanguage}</p>
      <p>{texts.sendAgainToRead}</p>
    </>
  )
}

/** What else the problem tells: when to come back, what was seen and what was expected. */
function Details({ error }: { error: ApiError }) {
  const { visto, esperado } = error.members
  return (
    <>
      {error.retryAfterSeconds ? (
        <p>
          {texts.tryAgainIn} {number(error.retryAfterSeconds)} s.
        </p>
      ) : null}
      {Array.isArray(visto) ? (
        <p>
          {texts.seen}: <code>{visto.length > 0 ? visto.join(', ') : '—'}</code>
        </p>
      ) : null}
      {Array.isArray(esperado) ? (
        <p>
          {texts.expected}: <code>{esperado.join(', ')}</code>
        </p>
      ) : null}
    </>
  )
}
