import { useState } from 'react'
import { servedTypes } from '../../lib/dns/rdata.ts'
import { canonicalRrset, clashes, RRsetError } from '../../lib/dns/rrset.ts'
import type { OutputOf } from '../api/operations.ts'
import { language, t } from '../i18n/language.ts'
import { Choice, TextArea, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'

export type Rrset = OutputOf<'GET /api/zonas/:zona/registros'>['datos'][number]

type Problem = { field: string; text: string }

/** How the values of a type are written: what to fill in, and an example. */
const EXAMPLES: Record<string, string> = {
  A: '192.0.2.10',
  AAAA: '2001:db8::10',
  CAA: '0 issue "letsencrypt.org"',
  CNAME: 'www',
  DS: '60485 13 2 D4B7D520E7BB5F0F67674A0C…',
  HTTPS: '1 . alpn=h2',
  MX: '10 mail',
  NAPTR: '100 10 "u" "E2U+sip" "!^.*$!sip:x@ejemplo.es!" .',
  NS: 'ns1.ejemplo.es.',
  PTR: 'host.ejemplo.es.',
  SRV: '10 60 5060 sip',
  SSHFP: '4 2 123456789ABCDEF67890…',
  SVCB: '1 svc alpn=h2',
  TLSA: '3 1 1 0D6FCE3A…',
  TXT: '"v=spf1 mx -all"',
  URI: '10 1 "https://ejemplo.es/"',
}

/**
 * One record set. While typing it is read by the very code that the panel validates with (lib/dns), so
 * what is shown as served is what will be served; the API still decides.
 */
export function RecordForm({
  zone,
  rrset,
  all,
  etag,
  cancel,
  done,
}: {
  zone: string
  rrset: Rrset | null
  all: Rrset[]
  etag: string | null
  cancel: () => void
  done: (now: Rrset, before: Rrset | null) => void
}) {
  const [nombre, setNombre] = useState(rrset?.nombre ?? '')
  const [tipo, setTipo] = useState(rrset?.tipo ?? 'A')
  const [ttl, setTtl] = useState(String(rrset?.ttl ?? 3600))
  const [text, setText] = useState(rrset?.valores.join('\n') ?? '')
  const name = nombre.trim() === '' ? '@' : nombre.trim()
  const valores = text.split('\n').filter((line) => line.trim() !== '')
  const { problem, served } = check(zone, all, { name, type: tipo, ttl: Number(ttl), values: valores })
  const replaced = all.find((one) => one.nombre === (served?.name ?? name) && one.tipo === tipo) ?? null
  const typing = valores.length > 0
  const at = (field: string) => (typing && problem?.field === field ? problem.text : undefined)
  return (
    <OpForm
      op="PUT /api/zonas/:zona/registros/:nombre/:tipo"
      input={{ params: { zona: zone, nombre: name, tipo }, body: { ttl: Number(ttl), valores } }}
      {...(etag ? { ifMatch: etag } : {})}
      submit={t('Save', 'Guardar')}
      disabled={problem !== null}
      cancel={cancel}
      done={({ data }) => done(data, replaced)}
    >
      {(error) => (
        <>
          <div className="record-fields">
            <TextField
              mono
              label={t('Name', 'Nombre')}
              value={nombre}
              onChange={setNombre}
              placeholder="@"
              disabled={rrset !== null}
              error={error('nombre') ?? at('nombre')}
              description={name === '@' ? zone : `${name}.${zone}`}
              {...(rrset ? {} : { autoFocus: true })}
            />
            <Choice
              label={t('Type', 'Tipo')}
              value={tipo}
              onChange={setTipo}
              disabled={rrset !== null}
              options={servedTypes().map((value) => ({ value, label: value }))}
              error={error('tipo') ?? at('tipo')}
            />
            <TextField label="TTL (s)" value={ttl} onChange={setTtl} error={error('ttl') ?? at('ttl')} />
          </div>
          <TextArea
            mono
            rows={Math.min(8, Math.max(3, valores.length + 1))}
            label={t('Values, one a line', 'Valores, uno por línea')}
            placeholder={EXAMPLES[tipo] ?? ''}
            description={`${t('For example', 'Por ejemplo')}: ${EXAMPLES[tipo] ?? ''}`}
            value={text}
            onChange={setText}
            error={error('valores') ?? at('valores')}
          />
          {served && typing ? (
            <div>
              <p className="small faint">{t('Served as', 'Se servirá como')}</p>
              <pre className="zone-lines">
                {served.values
                  .map((value) => `${served.name} ${served.ttl} ${served.type} ${value}`)
                  .join('\n')}
              </pre>
            </div>
          ) : null}
          {rrset === null && replaced && !problem ? (
            <p className="small">
              {t('Replaces what has that name and type now:', 'Sustituye lo que hay con ese nombre y tipo:')}{' '}
              <code>{replaced.valores.join(', ')}</code>
            </p>
          ) : null}
        </>
      )}
    </OpForm>
  )
}

type Wanted = { name: string; type: string; ttl: number; values: string[] }

function check(
  zone: string,
  all: Rrset[],
  wanted: Wanted,
): { problem: Problem | null; served: Wanted | null } {
  try {
    const served = canonicalRrset(zone, wanted)
    const others = all
      .filter(({ nombre, tipo }) => nombre !== served.name || tipo !== served.type)
      .map(({ nombre, tipo, ttl, valores }) => ({ name: nombre, type: tipo, ttl, values: valores }))
    const clash = clashes(zone, [...others, served])[0]
    return clash ? { problem: problemOf(clash.error), served: null } : { problem: null, served }
  } catch (error) {
    if (error instanceof RRsetError) return { problem: problemOf(error), served: null }
    throw error
  }
}

/** A value's own fault is told with the line that it stands in. */
function problemOf({ campo, mensaje }: RRsetError): Problem {
  const [field = campo, line] = campo.split('.')
  const text = mensaje[language.get()]
  return {
    field,
    text: line === undefined ? text : `${t('Line', 'Línea')} ${Number(line) + 1}: ${text}`,
  }
}
