import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { common } from '../../../text/common.ts'
import { counted, number } from '../../../text/format.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Card, Loaded } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { ChangeForm } from './change-form.tsx'
import { ChangeList, useTakeBack } from './history.tsx'
import { RecordForm, type Saved } from './record-form.tsx'
import { type Records, type Rrset, remember, useChanges, useRecords } from './records-data.ts'
import { texts } from './texts.ts'

/** What is open for change: a record set, a new one (at a name), or nothing. */
type Open = { mode: 'add' | 'edit' | 'delete'; nombre: string; tipo: string } | null

/** Groups shown at once; a zone may hold thousands, and most are reached by the filter. */
const STEP = 100

/** The records of a zone, grouped by name. */
export function RecordsTab({ zona }: { zona: string }) {
  const records = useRecords(zona)
  return (
    <Loaded of={records} lines={8}>
      {(data) => <Editor zona={zona} records={data} refresh={() => void records.refetch()} />}
    </Loaded>
  )
}

type EditorProps = { zona: string; records: Records; refresh: () => void }

function Editor({ zona, records, refresh }: EditorProps) {
  const [open, setOpen] = useState<Open>(null)
  const [filter, setFilter] = useState('')
  const [most, setMost] = useState(STEP)
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  const groups = useMemo(() => grouped(records.rows, wanted), [records.rows, wanted])
  const changes = useChanges(zona)
  const back = useTakeBack(zona, refresh)
  const close = () => setOpen(null)
  const saved = ({ etag, ...change }: Saved | (Omit<Saved, 'after'> & { after: null })) => {
    const made = remember(zona, { kind: 'rrset', ...change })
    close()
    const undo = etag ? () => back.run(made, etag) : undefined
    announce(`${change.tipo} ${change.nombre} · ${change.after ? texts.saved : texts.deleted}`, undo)
  }
  const form = { zona, records, refresh, saved, close }
  return (
    <>
      <ChangeList zona={zona} records={records} changes={changes} back={back} />
      <Card
        flush
        title={common.records}
        wire="GET /api/zonas/:zona/registros"
        actions={
          <Button
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setOpen({ mode: 'add', nombre: '', tipo: '' })}
          >
            {texts.addARecord}
          </Button>
        }
      >
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
          <span className="faint small">
            {counted(records.rows.length, texts.recordSet, texts.recordSets)}
          </span>
        </div>
        {open?.mode === 'add' ? (
          <div className="rr-open">
            <h3>{texts.newRecord}</h3>
            <RecordForm key={open.nombre} rrset={null} nombre={open.nombre} {...form} />
          </div>
        ) : null}
        {groups.slice(0, most).map(([nombre, rrsets]) => (
          <Group key={nombre} nombre={nombre} rrsets={rrsets} open={open} setOpen={setOpen} form={form} />
        ))}
        {groups.length === 0 ? <p className="rr-none faint">{texts.noRecordMatches}</p> : null}
        {groups.length > most ? (
          <div className="table-foot">
            <span>
              {number(most)} / {number(groups.length)}
            </span>
            <Button size="compact-sm" variant="default" onClick={() => setMost(most + STEP)}>
              {texts.showMoreNames}
            </Button>
          </div>
        ) : null}
      </Card>
    </>
  )
}

/** By name in the order of the API, the apex first; a group is shown whole where its name matches. */
function grouped(rows: Rrset[], wanted: string): [string, Rrset[]][] {
  const groups = new Map<string, Rrset[]>()
  for (const row of rows) {
    const text = `${row.nombre} ${row.tipo} ${row.valores.join(' ')}`.toLowerCase()
    if (wanted !== '' && !text.includes(wanted)) continue
    const group = groups.get(row.nombre)
    if (group) group.push(row)
    else groups.set(row.nombre, [row])
  }
  return [...groups]
}

type FormProps = {
  zona: string
  records: Records
  refresh: () => void
  saved: (change: Saved | (Omit<Saved, 'after'> & { after: null })) => void
  close: () => void
}
type GroupProps = {
  nombre: string
  rrsets: Rrset[]
  open: Open
  setOpen: (open: Open) => void
  form: FormProps
}

function Group({ nombre, rrsets, open, setOpen, form }: GroupProps) {
  const { zona } = form
  return (
    <section className="rr-group">
      <div className="rr-name">
        <h3 className="mono">
          {nombre === '@' ? zona : nombre}
          {nombre === '@' ? null : <span className="faint">.{zona}</span>}
        </h3>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${texts.addARecordTo} ${nombre}`}
          title={texts.addToThisName}
          onClick={() => setOpen({ mode: 'add', nombre, tipo: '' })}
        >
          <Icon name="plus" size={14} />
        </ActionIcon>
      </div>
      <ul>
        {rrsets.map((rrset) => {
          const mine = open && open.nombre === nombre && open.tipo === rrset.tipo ? open.mode : null
          return (
            <li key={rrset.tipo} className={mine === 'edit' || mine === 'delete' ? 'rr-open' : 'rr'}>
              {mine === 'edit' ? <RecordForm rrset={rrset} {...form} /> : null}
              {mine === 'delete' ? <DeleteForm rrset={rrset} {...form} /> : null}
              {mine === 'edit' || mine === 'delete' ? null : <Row rrset={rrset} setOpen={setOpen} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Row({ rrset, setOpen }: { rrset: Rrset; setOpen: (open: Open) => void }) {
  const { nombre, tipo, ttl, valores, origen } = rrset
  const which = `${tipo} ${nombre}`
  return (
    <>
      <b className="rr-type mono">{tipo}</b>
      <span className="rr-ttl mono faint">
        <span className="visually-hidden">TTL </span>
        {ttl}
      </span>
      <ul className="rr-list-values">
        {valores.map((value) => (
          <li key={value}>
            <code>{value}</code>
          </li>
        ))}
      </ul>
      <span className="rr-actions">
        {origen === 'sistema' ? (
          <span className="chip" title={texts.madeByThePanel}>
            {texts.panel}
          </span>
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${common.change} ${which}`}
          title={common.change}
          onClick={() => setOpen({ mode: 'edit', nombre, tipo })}
        >
          <Icon name="edit" size={15} />
        </ActionIcon>
        {nombre === '@' && tipo === 'NS' ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${common.delete} ${which}`}
            title={common.delete}
            onClick={() => setOpen({ mode: 'delete', nombre, tipo })}
          >
            <Icon name="trash" size={15} />
          </ActionIcon>
        )}
      </span>
    </>
  )
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
          <ul className="rr-list-values">
            {rrset.valores.map((value) => (
              <li key={value}>
                <code>{value}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </ChangeForm>
  )
}
