import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { useAction, usePages, useRead } from '../../api/hooks.ts'
import type { InputOf } from '../../api/operations.ts'
import { dateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { stateWords } from '../../i18n/states.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { ChoiceFilter, SearchFilter, TextField, useFilter } from '../../ui/fields.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { mirrorPath } from '../places.ts'
import { LastChange, type Mirror, Place, When } from './details.tsx'
import { reasonWords } from './words.ts'

const STATES = [
  'comprobando',
  'en_cola',
  'sincronizando',
  'al_dia',
  'error',
  'conflicto',
  'perdida',
  'sin_cuota',
  'retirando',
  'retirada',
] as const satisfies Mirror['estado'][]

type Query = Required<InputOf<'GET /api/espejo'>>['query']

/** The mirrored zones one by one, those that were dropped among them. */
export function MirrorTable({ node, canAdd }: { node: string | undefined; canAdd: boolean }) {
  const [buscar] = useFilter('buscar')
  const [state] = useFilter('estado')
  const [adding, setAdding] = useState(false)
  const estado = STATES.find((one) => one === state)
  const query: Query = {
    ...(buscar ? { buscar } : {}),
    ...(estado ? { estado } : {}),
    ...(node ? { nodo: node } : {}),
  }
  const pages = usePages('GET /api/espejo', { query }, { again: (rows) => (rows.length > 0 ? 5_000 : false) })
  return (
    <section aria-labelledby="mirrors">
      <h2 id="mirrors" className="section-title">
        {t('Mirrored zones', 'Zonas espejadas')}
      </h2>
      <search className="filters">
        <SearchFilter name="buscar" label={t('Zone begins with', 'La zona empieza por')} />
        <ChoiceFilter
          name="estado"
          label={t('State', 'Estado')}
          options={STATES.map((value) => ({ value, label: stateWords(value).label }))}
        />
        {canAdd ? (
          <Button
            className="filter-action"
            leftSection={<Icon name="plus" />}
            onClick={() => setAdding(true)}
          >
            {t('Mirror a zone', 'Espejar una zona')}
          </Button>
        ) : null}
      </search>
      <PagedTable
        label={t('Mirrored zones', 'Zonas espejadas')}
        pages={pages}
        rowKey={({ zona }) => zona}
        columns={columns()}
        empty={
          <Empty icon="mirror" title={t('No mirrored zones', 'Ninguna zona espejada')}>
            <p>
              {t(
                'Zones are taken in one by one, each once it resolves to this server.',
                'Las zonas se añaden una a una, cada una cuando ya resuelve a este servidor.',
              )}
            </p>
          </Empty>
        }
      />
      <Dialog title={t('Mirror a zone', 'Espejar una zona')} opened={adding} close={() => setAdding(false)}>
        <AddZone close={() => setAdding(false)} />
      </Dialog>
    </section>
  )
}

function columns(): Column<Mirror>[] {
  return [
    {
      head: t('Zone', 'Zona'),
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
      head: t('State', 'Estado'),
      cell: ({ estado, motivo, error }) => (
        <div>
          <State state={estado} />
          {motivo || error ? <span className="sub">{motivo ? reasonWords(motivo) : error}</span> : null}
        </div>
      ),
    },
    { head: t('Resolvers', 'Resolvers'), cell: ({ respuestas }) => <Verdicts answers={respuestas} /> },
    {
      head: t('Queue', 'Cola'),
      narrow: true,
      cell: ({ posicion }) => (posicion === null ? <Nothing /> : <Place place={posicion} />),
    },
    { head: t('Next', 'Próxima'), narrow: true, cell: ({ proxima }) => <When at={proxima} /> },
    {
      head: t('Last difference', 'Última diferencia'),
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
              {omitidos.length} {t('omitted or adjusted', 'omitidos o ajustados')}
            </span>
          ) : null}
        </div>
      ),
    },
    { head: t('Actions', 'Acciones'), actions: true, cell: (mirror) => <SyncNow mirror={mirror} /> },
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
    announce(`${mirror.zona}: ${t('place', 'puesto')} ${posicion} · ${dateTime(estimado)}`)
  }
  const name = `${t('Sync now', 'Sincronizar ahora')}: ${mirror.zona}`
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={name}
        title={t('Sync now', 'Sincronizar ahora')}
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
      submit={t('Mirror this zone', 'Espejar esta zona')}
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
            label={t('Zone', 'Zona')}
            description={t(
              'The resolvers are asked first; only a zone that resolves to this server is taken.',
              'Antes se pregunta a los resolvers; solo se admite una zona que resuelva a este servidor.',
            )}
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
