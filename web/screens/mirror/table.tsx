import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { MIRROR_STATES } from '../../../schema/states.ts'
import { useAction, usePages, useRead } from '../../api/hooks.ts'
import type { InputOf } from '../../api/operations.ts'
import { mirrorPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { dateTime } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { SearchFilter, StateFilter, useFilter, useStateFilter } from '../../ui/forms/filters.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { LastChange, type Mirror, Place, When } from './details.tsx'
import { texts } from './texts.ts'
import { reasonWords } from './words.ts'

type Query = Required<InputOf<'GET /api/espejo'>>['query']

/** The mirrored zones one by one, those that were dropped among them. */
export function MirrorTable({ node, canAdd }: { node: string | undefined; canAdd: boolean }) {
  const [buscar] = useFilter('buscar')
  const estado = useStateFilter(MIRROR_STATES)
  const [adding, setAdding] = useState(false)
  const query: Query = {
    ...(buscar ? { buscar } : {}),
    ...(estado ? { estado } : {}),
    ...(node ? { nodo: node } : {}),
  }
  const pages = usePages('GET /api/espejo', { query }, { again: (rows) => (rows.length > 0 ? 5_000 : false) })
  return (
    <section aria-labelledby="mirrors">
      <h2 id="mirrors" className="section-title">
        {texts.mirroredZones}
      </h2>
      <search className="filters">
        <SearchFilter name="buscar" label={common.zoneBeginsWith} />
        <StateFilter states={MIRROR_STATES} />
        {canAdd ? (
          <Button
            className="filter-action"
            leftSection={<Icon name="plus" />}
            onClick={() => setAdding(true)}
          >
            {texts.mirrorAZone}
          </Button>
        ) : null}
      </search>
      <PagedTable
        label={texts.mirroredZones}
        pages={pages}
        rowKey={({ zona }) => zona}
        columns={columns()}
        empty={
          <Empty icon="mirror" title={texts.noMirroredZones}>
            <p>{texts.zonesAreAddedSingly}</p>
          </Empty>
        }
      />
      <Dialog title={texts.mirrorAZone} opened={adding} close={() => setAdding(false)}>
        <AddZone close={() => setAdding(false)} />
      </Dialog>
    </section>
  )
}

function columns(): Column<Mirror>[] {
  return [
    {
      head: common.zone,
      cell: ({ zona, cliente }) => (
        <div>
          <Link href={mirrorPath(zona)} className="name mono">
            {zona}
          </Link>
          <span className="sub mono">{cliente}</span>
        </div>
      ),
    },
    {
      head: common.state,
      cell: ({ estado, motivo, error }) => (
        <div>
          <State state={estado} />
          {motivo || error ? <span className="sub">{motivo ? reasonWords(motivo) : error}</span> : null}
        </div>
      ),
    },
    { head: texts.resolvers, cell: ({ respuestas }) => <Verdicts answers={respuestas} /> },
    {
      head: texts.queue,
      narrow: true,
      cell: ({ posicion }) => (posicion === null ? <Nothing /> : <Place place={posicion} />),
    },
    { head: texts.next, narrow: true, cell: ({ proxima }) => <When at={proxima} /> },
    {
      head: texts.lastDifference,
      cell: ({ ultimo_cambio, ultima_sincronizacion, omitidos }) => (
        <div>
          <LastChange change={ultimo_cambio} />
          {ultima_sincronizacion ? (
            <span className="sub">
              <When at={ultima_sincronizacion} />
            </span>
          ) : null}
          {omitidos.length > 0 ? (
            <span className="sub">
              {omitidos.length} {texts.omittedOrAdjusted}
            </span>
          ) : null}
        </div>
      ),
    },
    { head: common.actions, actions: true, cell: (mirror) => <SyncNow mirror={mirror} /> },
  ]
}

function Verdicts({ answers }: { answers: Mirror['respuestas'] }) {
  if (answers.length === 0) return <Nothing />
  return (
    <ul className="verdicts">
      {answers.map(({ resolver, resultado, visto }) => {
        const { tone, label } = stateWords(resultado)
        return (
          <li key={resolver} title={visto.join(', ')}>
            <Glyph tone={tone} />
            <span className="visually-hidden">{label}: </span>
            <code>{resolver}</code>
          </li>
        )
      })}
    </ul>
  )
}

const SYNCABLE: ReadonlySet<string> = new Set(['en_cola', 'sincronizando', 'al_dia', 'error'])

function SyncNow({ mirror }: { mirror: Mirror }) {
  const sync = useAction('POST /api/zonas/:zona/espejo/sincronizar')
  if (!SYNCABLE.has(mirror.estado)) return null
  const send = async () => {
    const answer = await sync.run({ params: { zona: mirror.zona } })
    if (!answer) return
    const { posicion, estimado } = answer.data
    announce(`${mirror.zona}: ${texts.place} ${posicion} · ${dateTime(estimado)}`)
  }
  const name = `${texts.syncNow}: ${mirror.zona}`
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={name}
        title={texts.syncNow}
        loading={sync.busy}
        onClick={send}
      >
        <Icon name="sync" size={15} />
      </ActionIcon>
      {sync.error ? <ErrorNote error={sync.error} /> : null}
    </>
  )
}

/** Takes one zone into the mirror; there is no way to take all. */
function AddZone({ close }: { close: () => void }) {
  const id = useId()
  const [zona, setZona] = useState('')
  const [settled] = useDebouncedValue(zona.trim().toLowerCase(), 150)
  const found = useRead('GET /api/zonas', {
    query: { limite: '10', ...(settled ? { buscar: settled } : {}) },
  })
  const free = (found.data?.datos ?? []).filter(
    ({ espejo }) => espejo === null || espejo.estado === 'retirada',
  )
  return (
    <OpForm
      op="PUT /api/zonas/:zona/espejo"
      input={{ params: { zona: zona.trim() } }}
      submit={texts.mirrorThisZone}
      disabled={zona.trim() === ''}
      cancel={close}
      done={({ data }) => {
        announce(`${data.zona}: ${stateWords(data.estado).label}`)
        close()
      }}
    >
      {(error) => (
        <>
          <TextField
            mono
            label={common.zone}
            description={texts.resolversDecide}
            value={zona}
            onChange={setZona}
            list={id}
            error={error('zona')}
            autoFocus
          />
          <datalist id={id}>
            {free.map(({ zona, cliente }) => (
              <option key={zona} value={zona}>
                {cliente}
              </option>
            ))}
          </datalist>
        </>
      )}
    </OpForm>
  )
}
