import { Button } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ApiError } from '../api/errors.ts'
import { common } from '../text/common.ts'
import { fieldWords } from '../text/field-names.ts'
import { number } from '../text/format.ts'
import { CopyButton } from './copy.tsx'
import { LimitAdvice } from './limit-advice.tsx'
import { texts } from './texts.ts'

const AT_A_FIELD = '.mantine-InputWrapper-error'

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
  const elsewhere = useToldAtFields(error, box)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  return (
    <div className="note note-bad" role="alert" ref={box} tabIndex={-1}>
      {error.isInOtherLanguage ? <OtherLanguage /> : <Said error={error} elsewhere={elsewhere} />}
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

/** The fields whose message stands at them: here it would be read twice. A place in a list is told here alone. */
function useToldAtFields(error: ApiError, box: RefObject<HTMLDivElement | null>): ReadonlySet<string> {
  const [told, setTold] = useState<ReadonlySet<string>>(new Set())
  useLayoutEffect(() => {
    const fields = box.current?.closest('form')?.querySelectorAll<HTMLElement>(AT_A_FIELD) ?? []
    const seen = [...fields].filter((one) => one.checkVisibility()).map((one) => one.textContent ?? '')
    const twice = error.campos.filter(({ campo, mensaje }) => !/\.\d/.test(campo) && seen.includes(mensaje))
    setTold(new Set(twice.map(({ campo }) => campo)))
  }, [error, box])
  return told
}

/** In the API's own words, each field by its label. */
function Said({ error, elsewhere }: { error: ApiError; elsewhere: ReadonlySet<string> }) {
  const fields = error.campos.filter(({ campo }) => !elsewhere.has(campo))
  return (
    <>
      <p className="note-title">{error.detail}</p>
      {fields.length > 0 ? (
        <ul className="bullets">
          {fields.map(({ campo, mensaje }) => (
            <li key={campo + mensaje}>{campo ? `${fieldWords(campo)}: ${mensaje}` : mensaje}</li>
          ))}
        </ul>
      ) : null}
      <Details error={error} />
      <LimitAdvice codigo={error.codigo} members={error.members} />
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
