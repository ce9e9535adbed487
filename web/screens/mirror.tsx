import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../api/hooks.ts'
import { dateTime, number, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { stateWords } from '../i18n/states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ChoiceFilter, SearchFilter, TextField, useFilter } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Empty, Nothing, PageHead } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import { Change, type MirrorData } from './mirror-view.tsx'
import { mirrorPath } from './places.ts'
import { Provider } from './provider.tsx'

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
] as const

/** The DNS provider and the zones that are mirrored to it, one by one. */
export default function Mirror() {
  const [buscar] = useFilter('buscar')
  const [estado] = useFilter('estado')
  const [adding, setAdding] = useState(false)
  const state = STATES.find((one) => one === estado)
  const zones = usePages(
    'GET /api/espejo',
    { query: { ...(buscar ? { buscar } : {}), ...(state ? { estado: state } : {}) } },
    { again: (rows) => (rows.some(isMoving) ? 3000 : 30_000) },
  )
  return (
    <>
      <PageHead
        title={t('Provider and mirror', 'Proveedor y espejo')}
        wire="GET /api/dns/proveedor"
        lead={t(
          "Zones can be copied to an external provider as a secondary. The panel's own DNS is always the source.",
          'Las zonas se pueden copiar a un proveedor externo como secundario. El DNS del panel es siempre la fuente.',
        )}
      />
      <div className="stack">
        <Provider />
        <Card
          flush
          title={t('Mirrored zones', 'Zonas en espejo')}
          wire="GET /api/espejo"
          actions={
            <Button size="xs" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              {t('Mirror a zone', 'Poner una zona en espejo')}
            </Button>
          }
        >
          <div className="filters card-filters">
            <SearchFilter name="buscar" label={t('Name begins with', 'El nombre empieza por')} />
            <ChoiceFilter
              name="estado"
              label={t('State', 'Estado')}
              options={STATES.map((value) => ({ value, label: stateWords(value).label }))}
            />
          </div>
          <PagedTable
            label={t('Mirrored zones', 'Zonas en espejo')}
            pages={zones}
            rowKey={({ zona }) => zona}
            columns={[
              {
                head: t('Zone', 'Zona'),
                cell: ({ zona, cliente }) => (
                  <>
                    <Link className="name mono" href={mirrorPath(zona)}>
                      {zona}
                    </Link>
                    <span className="sub mono">{cliente}</span>
                  </>
                ),
              },
              { head: t('State', 'Estado'), cell: (mirror) => <StateCell mirror={mirror} /> },
              {
                head: t('Queue', 'Cola'),
                end: true,
                narrow: true,
                cell: ({ posicion }) => (posicion ? number(posicion) : <Nothing />),
              },
              {
                head: t('Last sync', 'Última sincronización'),
                cell: ({ ultima_sincronizacion: last }) =>
                  last ? <span title={dateTime(last)}>{relative(last)}</span> : <Nothing />,
              },
              {
                head: t('Last difference', 'Última diferencia'),
                cell: ({ ultimo_cambio }) => <Change change={ultimo_cambio} />,
              },
            ]}
            empty={
              <Empty icon="mirror" title={t('No zone is mirrored.', 'Ninguna zona está en espejo.')}>
                <p>{t('Zones are chosen one by one.', 'Las zonas se eligen una a una.')}</p>
              </Empty>
            }
          />
        </Card>
      </div>
      <Dialog
        title={t('Mirror a zone', 'Poner una zona en espejo')}
        opened={adding}
        close={() => setAdding(false)}
      >
        <AddZone close={() => setAdding(false)} />
      </Dialog>
    </>
  )
}

const isMoving = ({ estado }: MirrorData) =>
  ['comprobando', 'en_cola', 'sincronizando', 'retirando'].includes(estado)

function StateCell({ mirror }: { mirror: MirrorData }) {
  return (
    <>
      <State state={mirror.estado} />
      {mirror.error ? <span className="sub">{mirror.error}</span> : null}
    </>
  )
}

function AddZone({ close }: { close: () => void }) {
  const [zona, setZona] = useState('')
  return (
    <OpForm
      op="PUT /api/zonas/:zona/espejo"
      input={{ params: { zona: zona.trim() } }}
      submit={t('Mirror', 'Poner en espejo')}
      disabled={zona.trim() === ''}
      cancel={close}
      done={({ data }) => {
        announce(`${data.zona}: ${stateWords(data.estado).label}`)
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            {t(
              'It must already resolve to this server, and must not exist in the provider account.',
              'Ya debe resolver a este servidor, y no debe existir en la cuenta del proveedor.',
            )}
          </p>
          <TextField
            mono
            label={t('Zone', 'Zona')}
            value={zona}
            onChange={setZona}
            error={error('zona')}
            placeholder="ejemplo.es"
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
