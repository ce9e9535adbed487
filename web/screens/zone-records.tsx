import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Reply, reply } from '../api/client.ts'
import { type ApiError, asApiError } from '../api/errors.ts'
import { queries } from '../api/hooks.ts'
import { counted, number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Loaded } from '../ui/page.tsx'
import { announce } from '../ui/toast.tsx'
import { RecordForm, type Rrset } from './record-form.tsx'
import type { ZoneData } from './zone.tsx'

type Records = Reply<'GET /api/zonas/:zona/registros'>
/** What takes a change back: the record set that stood there, or that none did. */
type Undo = { nombre: string; tipo: string; before: Rrset | null }
type Asked = { what: 'edit'; rrset: Rrset | null } | { what: 'delete'; rrset: Rrset } | null

const OP = 'GET /api/zonas/:zona/registros'

/** The record sets of a zone, grouped by name, with what was done kept for undoing. */
export default function ZoneRecords({ zone }: { zone: ZoneData }) {
  const params = { zona: zone.zona }
  const records = useQuery<Records, ApiError>({
    queryKey: [OP, params, zone.serie],
    queryFn: ({ signal }) => reply(OP, { params }, { signal }),
    placeholderData: (before) => before,
  })
  const [asked, setAsked] = useState<Asked>(null)
  const [done, setDone] = useState<Undo[]>([])
  const [error, setError] = useState<ApiError | null>(null)
  const [filter, setFilter] = useState('')
  const close = () => setAsked(null)
  const undo = async () => {
    const last = done.at(-1)
    if (!last) return
    try {
      await takeBack(zone.zona, last)
      setError(null)
      setDone(done.slice(0, -1))
      announce(t('Taken back.', 'Deshecho.'))
    } catch (thrown) {
      setError(asApiError(thrown))
    }
    void queries.invalidateQueries()
  }
  const remember = (change: Undo, text: string) => {
    setDone([...done, change])
    close()
    announce(text)
  }
  return (
    <>
      <div className="table-top">
        <TextInput
          className="grow"
          aria-label={t('Filter the records', 'Filtrar los registros')}
          placeholder={t('Filter: name, type, value', 'Filtrar: nombre, tipo, valor')}
          leftSection={<Icon name="search" size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          spellCheck={false}
          size="xs"
        />
        <Button
          size="xs"
          variant="default"
          disabled={done.length === 0}
          leftSection={<Icon name="undo" size={14} />}
          onClick={undo}
        >
          {t('Undo', 'Deshacer')}
          {done.length > 0 ? ` (${done.length})` : ''}
        </Button>
        <Button
          size="xs"
          leftSection={<Icon name="plus" />}
          onClick={() => setAsked({ what: 'edit', rrset: null })}
        >
          {t('New record', 'Registro nuevo')}
        </Button>
      </div>
      {error ? <ErrorNote error={error} focus /> : null}
      <Loaded of={records}>
        {({ data }) => <Groups zone={zone.zona} rrsets={data.datos} filter={filter} ask={setAsked} />}
      </Loaded>
      <Dialog
        title={
          asked?.what === 'edit' && asked.rrset
            ? t('Change the record', 'Cambiar el registro')
            : t('New record', 'Registro nuevo')
        }
        opened={asked?.what === 'edit'}
        close={close}
        size="40rem"
      >
        {asked?.what === 'edit' && records.data ? (
          <RecordForm
            zone={zone.zona}
            rrset={asked.rrset}
            all={records.data.data.datos}
            etag={records.data.etag}
            cancel={close}
            done={(now, before) =>
              remember(
                { nombre: now.nombre, tipo: now.tipo, before },
                `${now.nombre} ${now.tipo}: ${t('saved', 'guardado')}`,
              )
            }
          />
        ) : null}
      </Dialog>
      <Dialog
        title={t('Delete the record?', '¿Eliminar el registro?')}
        opened={asked?.what === 'delete'}
        close={close}
      >
        {asked?.what === 'delete' ? (
          <OpForm
            op="DELETE /api/zonas/:zona/registros/:nombre/:tipo"
            input={{ params: { ...params, nombre: asked.rrset.nombre, tipo: asked.rrset.tipo } }}
            {...(records.data?.etag ? { ifMatch: records.data.etag } : {})}
            submit={t('Delete', 'Eliminar')}
            danger
            cancel={close}
            done={({ data }) =>
              remember(
                { nombre: data.nombre, tipo: data.tipo, before: data },
                `${data.nombre} ${data.tipo}: ${t('deleted', 'eliminado')}`,
              )
            }
          >
            {() => (
              <pre className="zone-lines">
                {asked.rrset.valores
                  .map((value) => `${asked.rrset.nombre} ${asked.rrset.ttl} ${asked.rrset.tipo} ${value}`)
                  .join('\n')}
              </pre>
            )}
          </OpForm>
        ) : null}
      </Dialog>
    </>
  )
}

async function takeBack(zona: string, { nombre, tipo, before }: Undo): Promise<void> {
  const params = { zona, nombre, tipo }
  if (before) {
    const body = { ttl: before.ttl, valores: before.valores }
    await reply('PUT /api/zonas/:zona/registros/:nombre/:tipo', { params, body })
  } else await reply('DELETE /api/zonas/:zona/registros/:nombre/:tipo', { params })
}

/** More than this is filtered, not scrolled. */
const MOST_NAMES = 400

function Groups({
  zone,
  rrsets,
  filter,
  ask,
}: {
  zone: string
  rrsets: Rrset[]
  filter: string
  ask: (asked: Asked) => void
}) {
  const wanted = filter.trim().toLowerCase()
  const shown = rrsets.filter(({ nombre, tipo, valores }) =>
    `${nombre} ${tipo} ${valores.join(' ')}`.toLowerCase().includes(wanted),
  )
  const names = [...new Set(shown.map(({ nombre }) => nombre))].sort(apexFirst)
  if (names.length === 0) {
    return (
      <Empty
        icon="zones"
        title={wanted ? t('Nothing fits.', 'Nada coincide.') : t('The zone is empty.', 'La zona está vacía.')}
      />
    )
  }
  return (
    <>
      <div className="records">
        {names.slice(0, MOST_NAMES).map((name) => (
          <section key={name} aria-label={name}>
            <h2 className="mono">
              {name === '@' ? (
                zone
              ) : (
                <>
                  {name}
                  <span>.{zone}</span>
                </>
              )}
            </h2>
            <ul>
              {shown
                .filter(({ nombre }) => nombre === name)
                .map((rrset) => (
                  <Row key={rrset.tipo} rrset={rrset} ask={ask} />
                ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="table-foot">
        {counted(
          shown.length,
          ['record set', 'conjunto de registros'],
          ['record sets', 'conjuntos de registros'],
        )}
        {names.length > MOST_NAMES
          ? ` · ${t('only the first names are shown, filter for the others', 'solo se muestran los primeros nombres, filtre para ver los demás')}`
          : ''}
      </p>
    </>
  )
}

function Row({ rrset, ask }: { rrset: Rrset; ask: (asked: Asked) => void }) {
  const { nombre, tipo, ttl, valores, origen } = rrset
  const fixed = nombre === '@' && tipo === 'NS'
  return (
    <li className="record">
      <code className="record-type">{tipo}</code>
      <span className="record-ttl" title={t('Time to live, seconds', 'Tiempo de vida, segundos')}>
        {number(ttl)} s
      </span>
      <span className="record-values">
        {valores.map((value) => (
          <code key={value}>{value}</code>
        ))}
      </span>
      {origen === 'sistema' ? <span className="chip">{t('by the panel', 'del panel')}</span> : <span />}
      <span className="record-actions">
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`${t('Change', 'Cambiar')} ${nombre} ${tipo}`}
          onClick={() => ask({ what: 'edit', rrset })}
        >
          <Icon name="edit" size={14} />
        </Button>
        {fixed ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`${t('Delete', 'Eliminar')} ${nombre} ${tipo}`}
            onClick={() => ask({ what: 'delete', rrset })}
          >
            <Icon name="trash" size={14} />
          </Button>
        )}
      </span>
    </li>
  )
}

const apexFirst = (a: string, b: string) => (a === '@' ? -1 : b === '@' ? 1 : a.localeCompare(b))
