import { Button, TextInput } from '@mantine/core'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { common } from '../../../text/common.ts'
import { counted, number } from '../../../text/format.ts'
import { Icon } from '../../../ui/icons.tsx'
import { useDrawn } from '../../../ui/lists/steps.ts'
import { Card, Loaded, Waiting } from '../../../ui/page.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { announce } from '../../../ui/toast.tsx'
import { MailSetup } from '../mail/setup.tsx'
import { Bulk } from './bulk.tsx'
import { ChangeForm } from './change-form.tsx'
import { ChangeList, useTakeBack } from './history.tsx'
import type { Saved } from './record-form.tsx'
import {
  type Edit,
  fileOf,
  type NewChange,
  type Records,
  type Rrset,
  remember,
  useChanges,
  useRecords,
} from './records-data.ts'
import { type Open, RecordTable, rowKey, type TableProps, ValueList } from './table.tsx'
import { texts } from './texts.ts'

/** It brings the rules of all types along, and the public suffixes. */
const RecordForm = lazy(() => import('./record-form.tsx'))

/** Record sets shown at once; a zone may hold thousands, and most are reached by the filter. */
const STEP = 100

/** The records of a zone. */
export function RecordsTab({ zona }: { zona: string }) {
  const records = useRecords(zona)
  return (
    <Loaded of={records} lines={8}>
      {(data) => <Editor zona={zona} records={data} refresh={() => void records.refetch()} />}
    </Loaded>
  )
}

type EditorProps = { zona: string; records: Records; refresh: () => void }
type Removed = Omit<Saved, 'after'> & { after: null }

function Editor({ zona, records, refresh }: EditorProps) {
  const [open, setOpen] = useState<Open>(null)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const changes = useChanges(zona)
  const back = useTakeBack(zona, refresh)
  const close = () => setOpen(null)
  const told = (text: string, change: NewChange, etag: string | null) => {
    const made = remember(zona, { ...change, from: records.etag, left: etag })
    announce(text, etag ? () => back.run(made, etag) : undefined)
  }
  const saved = ({ etag, ...change }: Saved | Removed) => {
    close()
    const text = `${change.tipo} ${change.nombre} · ${change.after ? texts.saved : texts.deleted}`
    told(text, { kind: 'rrset', ...change }, etag)
  }
  const edited = ({ put, remove }: Edit, etag: string | null) => {
    choose(new Set())
    const [some, did] = remove.length > 0 ? [remove, texts.deleted] : [put, texts.saved]
    const counts: [number, number, number] = [0, put.length, remove.length]
    const file = fileOf(zona, records.rows)
    told(
      `${counted(some.length, texts.recordSet, texts.recordSets)} · ${did}`,
      { kind: 'import', file, counts },
      etag,
    )
  }
  const form = { zona, records, refresh, saved, close }
  const some = records.rows.filter((row) => chosen.has(rowKey(row)))
  return (
    <>
      <ChangeList zona={zona} records={records} changes={changes} back={back} />
      <Card
        flush
        title={common.records}
        wire="GET /api/zonas/:zona/registros"
        actions={
          <>
            <MailSetup {...{ zona, records, refresh }} />
            <Button
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setOpen({ mode: 'add', nombre: '', tipo: '' })}
            >
              {texts.addARecord}
            </Button>
          </>
        }
      >
        {open?.mode === 'add' ? (
          <div className="rr-open">
            <h3>{texts.newRecord}</h3>
            <Suspense fallback={<Waiting />}>
              <RecordForm key={open.nombre} rrset={null} nombre={open.nombre} {...form} />
            </Suspense>
          </div>
        ) : null}
        {some.length > 0 ? (
          <Bulk zona={zona} records={records} chosen={some} clear={() => choose(new Set())} done={edited} />
        ) : null}
        <Rows {...{ chosen, choose, open, setOpen, form }} />
      </Card>
    </>
  )
}

type RowsProps = Pick<TableProps, 'chosen' | 'choose' | 'open' | 'setOpen'> & { form: FormProps }

/** The record sets that the filters leave, of which the first ones are shown. */
function Rows({ chosen, choose, open, setOpen, form }: RowsProps) {
  const { zona, records } = form
  const [filter, setFilter] = useState('')
  const [type, setType] = useState('')
  const [asked, setMost] = useState(STEP)
  const most = useDrawn(useDeferredValue(asked))
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const rows = useMemo(() => matching(records.rows, { wanted, type }), [records.rows, wanted, type])
  return (
    <>
      <div className="rr-filter">
        <TextInput
          type="search"
          aria-label={texts.filterNameTypeValue}
          placeholder={texts.filterNameTypeValue}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
          spellCheck={false}
        />
        <TypeFilter rows={records.rows} type={type} setType={setType} />
        <span className="faint small">{counted(records.rows.length, texts.recordSet, texts.recordSets)}</span>
      </div>
      <div className="table-box">
        <RecordTable
          zona={zona}
          rows={rows.slice(0, most)}
          {...{ chosen, choose, open, setOpen }}
          form={(rrset, mode) =>
            mode === 'edit' ? (
              <Suspense fallback={<Waiting />}>
                <RecordForm rrset={rrset} {...form} />
              </Suspense>
            ) : (
              <DeleteForm rrset={rrset} {...form} />
            )
          }
        />
      </div>
      {rows.length === 0 ? <p className="rr-none faint">{texts.noRecordMatches}</p> : null}
      {most === asked && rows.length > most ? (
        <div className="table-foot">
          <span>
            {number(most)} / {number(rows.length)}
          </span>
          <SmallButton onClick={() => setMost(most + STEP)}>{texts.showMore}</SmallButton>
        </div>
      ) : null}
    </>
  )
}

/** In the order of the API: the apex first, then by name and type. */
const matching = (rows: Rrset[], { wanted, type }: { wanted: string; type: string }): Rrset[] =>
  rows.filter(
    (row) =>
      (type === '' || row.tipo === type) &&
      (wanted === '' || `${row.nombre} ${row.tipo} ${row.valores.join(' ')}`.toLowerCase().includes(wanted)),
  )

function TypeFilter({
  rows,
  type,
  setType,
}: {
  rows: Rrset[]
  type: string
  setType: (type: string) => void
}) {
  const counts = [...Map.groupBy(rows, ({ tipo }) => tipo)].map(([tipo, all]) => [tipo, all.length] as const)
  return (
    <fieldset className="rr-types">
      <legend className="visually-hidden">{common.type}</legend>
      {[['', rows.length] as const, ...counts.sort()].map(([tipo, count]) => (
        <button key={tipo} type="button" aria-pressed={type === tipo} onClick={() => setType(tipo)}>
          {tipo || common.all} <span className="faint">{number(count)}</span>
        </button>
      ))}
    </fieldset>
  )
}

type FormProps = {
  zona: string
  records: Records
  refresh: () => void
  saved: (change: Saved | Removed) => void
  close: () => void
}

function DeleteForm({ rrset, zona, records, refresh, saved, close }: FormProps & { rrset: Rrset }) {
  const { nombre, tipo } = rrset
  return (
    <ChangeForm
      op="DELETE /api/zonas/:zona/registros/:nombre/:tipo"
      input={{ params: { zona, nombre, tipo } }}
      ifMatch={records.etag}
      outdated={refresh}
      submit={common.delete}
      danger
      cancel={close}
      done={({ data, etag }) => saved({ nombre, tipo, before: data, after: null, etag })}
    >
      {() => (
        <>
          <p className="strong">
            {common.delete} {tipo} <code>{nombre}</code>
          </p>
          <ValueList values={rrset.valores} />
        </>
      )}
    </ChangeForm>
  )
}
