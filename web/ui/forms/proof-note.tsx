import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../api/errors.ts'
import { common } from '../../text/common.ts'
import { CopyLine } from '../copy.tsx'
import { texts } from './texts.ts'

/** The TXT record by which a customer proves a name, as the refusal tells it. */
export type Proof = {
  domain: string
  name: string
  type: string
  value: string
  /** Where the same record proves all names of the registration. */
  shared: string | null
  seen: string[]
  expected: string[]
  /** The resolvers did not answer: nobody knows yet. */
  unheard: boolean
}

/** The record that an error asks for; null where it asks for none. */
function proofOf({ codigo, members }: ApiError): Proof | null {
  const { domain, prueba, tambien_en, visto, esperado } = members
  if (typeof domain !== 'string' || typeof prueba !== 'object' || prueba === null) return null
  if (!('nombre' in prueba && 'tipo' in prueba && 'valor' in prueba)) return null
  return {
    domain,
    name: String(prueba.nombre),
    type: String(prueba.tipo),
    value: String(prueba.valor),
    shared: typeof tambien_en === 'string' ? tambien_en : null,
    seen: strings(visto),
    expected: strings(esperado),
    unheard: codigo === 'no_disponible',
  }
}

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** The record that a form's last refusal asked for; it stays while it is being checked again. */
export function useProof(error: ApiError | null, busy: boolean): Proof | null {
  const [last, setLast] = useState<Proof | null>(null)
  const asked = error ? proofOf(error) : null
  useEffect(() => {
    if (error) setLast(proofOf(error))
  }, [error])
  return error ? asked : busy ? last : null
}

/** What to set so that a name is proven, and a button of the same form that asks again. */
export function ProofNote({ proof, busy }: { proof: Proof; busy: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const { domain } = proof
  useEffect(() => box.current?.focus(), [])
  return (
    <div className="note note-warn proof" role="alert" ref={box} tabIndex={-1}>
      <p className="note-title">
        {proof.unheard ? texts.nameUnchecked(domain) : texts.showNameIsYours(domain)}
      </p>
      <p>{proof.unheard ? texts.dnsSilent : texts.addRecordAdvice}</p>
      <Record proof={proof} />
      <Otherwise proof={proof} />
      <p>
        <Button type="submit" size="xs" loading={busy}>
          {texts.checkAgain}
        </Button>
      </p>
    </div>
  )
}

function Record({ proof: { name, type, value } }: { proof: Proof }) {
  const parts = [
    [common.name, name, texts.copyTheName],
    [common.type, type, texts.copyTheType],
    [common.value, value, texts.copyTheValue],
  ] as const
  return (
    <dl className="proof-record">
      {parts.map(([label, text, copy]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <CopyLine value={text} label={copy} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Other ways to the same end, and what was seen instead of it. */
function Otherwise({ proof: { domain, shared, seen, expected } }: { proof: Proof }) {
  return (
    <>
      {shared ? (
        <p>
          {texts.allNamesAtOnce} <code>{shared}</code>.
        </p>
      ) : null}
      {expected.length > 0 ? (
        <p>
          {texts.enoughIfItLeadsHere(domain)} <code>{expected.join(', ')}</code>.{' '}
          {seen.length > 0 ? (
            <>
              {texts.nowItLeadsTo} <code>{seen.join(', ')}</code>.
            </>
          ) : null}
        </p>
      ) : null}
    </>
  )
}
