import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import type { OutputOf } from '../../../api/operations.ts'
import { number } from '../../../text/format.ts'
import { Card, Loaded } from '../../../ui/page.tsx'
import { Note, State } from '../../../ui/state.tsx'
import { Table } from '../../../ui/table.tsx'
import { Proposed } from '../proposed.tsx'
import { fileOf, type Records, useRecords } from '../records/records-data.ts'
import { MailLines } from './lines.tsx'
import { mxOf } from './missing.ts'
import { replacedText } from './templates.ts'
import { spfTermWords, texts } from './texts.ts'

const CHECK = 'GET /api/zonas/:zona/correo'
type Mail = OutputOf<typeof CHECK>
type Problem = Mail['spf']['problemas'][number] | Mail['dmarc']['problemas'][number]

/** Who may send mail in the name of the domain, what is wrong with that, and a better record. */
export default function MailCheck({ zona }: { zona: string }) {
  const mail = useRead(CHECK, { params: { zona } })
  const records = useRecords(zona)
  return (
    <Loaded of={mail} lines={6}>
      {(found) => (
        <div className="stack">
          <Loaded of={records} lines={4}>
            {(data) => (
              <MailLines zona={zona} found={found} records={data} refresh={() => void records.refetch()} />
            )}
          </Loaded>
          <Card title={texts.whoMaySend} wire={CHECK}>
            <Found
              records={found.spf.registros}
              problems={found.spf.problemas}
              propose={isUndecided(found, records.data) ? null : found.spf.propuesta}
              place={{ zona, nombre: '@', begins: 'v=spf1' }}
            >
              {found.spf.terminos.length > 0 ? <Terms spf={found.spf} /> : null}
            </Found>
          </Card>
          <Card title={texts.whatHappensElse}>
            <Found
              records={found.dmarc.registros}
              problems={found.dmarc.problemas}
              propose={isUndecided(found, records.data) ? null : found.dmarc.propuesta}
              place={{ zona, nombre: '_dmarc', begins: 'v=DMARC1' }}
            />
          </Card>
        </div>
      )}
    </Loaded>
  )
}

/**
 * Whether nothing says yet where the mail is: what would be proposed forbids all mail, also of a provider that is to be
 * set up next.
 */
const isUndecided = ({ recibe, spf }: Mail, records: Records | undefined): boolean =>
  !recibe && spf.registros.length === 0 && (records === undefined || mxOf(records.rows).length === 0)

type Place = { zona: string; nombre: string; begins: string }
type FoundProps = {
  records: string[]
  problems: Problem[]
  propose: string | null
  place: Place
  children?: React.ReactNode
}

function Found({ records, problems, propose, place, children }: FoundProps) {
  const [looking, setLooking] = useState(false)
  return (
    <div className="form">
      {records.map((record) => (
        <code key={record} className="block">
          {record}
        </code>
      ))}
      {children}
      {problems.length === 0 ? (
        <p>
          <State state="activa" label={texts.wellAsItIs} />
        </p>
      ) : null}
      {problems.map((problem) => (
        <Note
          key={problem}
          tone={problem === 'solo_observa' || problem === 'sin_respuesta' ? 'info' : 'warn'}
        >
          <p>{problemWords(problem)}</p>
        </Note>
      ))}
      {propose === null && problems.includes('falta') ? (
        <p className="small faint">{texts.sayFirst}</p>
      ) : null}
      {propose ? (
        <div>
          <p className="small faint">{texts.proposal}</p>
          <code className="block">{propose}</code>
        </div>
      ) : null}
      {propose && !looking ? (
        <div className="form-foot">
          <Button variant="default" onClick={() => setLooking(true)}>
            {texts.seeTheChange}
          </Button>
        </div>
      ) : null}
      {propose && looking ? <Change propose={propose} place={place} close={() => setLooking(false)} /> : null}
    </div>
  )
}

function Terms({ spf }: { spf: Mail['spf'] }) {
  return (
    <>
      <Table
        label={texts.terms}
        rows={spf.terminos}
        rowKey={({ termino }) => termino}
        columns={[
          { head: texts.term, long: true, cell: ({ termino }) => <code>{termino}</code> },
          { head: texts.meaning, cell: ({ termino }) => spfTermWords(termino) },
          {
            head: texts.lookups,
            end: true,
            narrow: true,
            cell: ({ consultas, respondido }) => `${number(consultas)}${respondido ? '' : ' ?'}`,
          },
        ]}
      />
      <p className={spf.consultas > 10 ? 'strong' : 'faint small'}>
        {texts.ofTenLookups(number(spf.consultas))}
      </p>
    </>
  )
}

function Change({ propose, place, close }: { propose: string; place: Place; close: () => void }) {
  const { zona } = place
  const records = useRecords(zona)
  return (
    <Loaded of={records}>
      {({ rows }) => (
        <Proposed
          zona={zona}
          text={fileOf(zona, [replacedText(rows, { ...place, text: propose })])}
          modo="fusionar"
          submit={texts.makeTheChange}
          done={close}
          cancel={close}
        />
      )}
    </Loaded>
  )
}

function problemWords(problem: Problem): string {
  const words: Record<Problem, string> = {
    falta: texts.missing,
    varios: texts.severalRecords,
    termino_desconocido: texts.unknownTerm,
    sin_final: texts.noEnd,
    permite_a_todos: texts.allowsAll,
    usa_ptr: texts.usesPtr,
    demasiadas_consultas: texts.tooManyLookups,
    sin_respuesta: texts.notAllAnswered,
    sin_politica: texts.noPolicy,
    solo_observa: texts.onlyWatches,
  }
  return words[problem]
}
