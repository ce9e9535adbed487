import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { usePages } from '../api/hooks.ts'
import type { InputOf } from '../api/operations.ts'
import { relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { stateWords } from '../i18n/states.ts'
import { ChoiceFilter, PlanFilter, SearchFilter, TextField, useFilter } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { clientPath } from './places.ts'

const STATES = ['activo', 'suspendido', 'eliminando'] as const

/** Clients by cursor, with their filters in the address. */
export default function Clients() {
  const [buscar] = useFilter('buscar')
  const [estado] = useFilter('estado')
  const [plan, setPlan] = useFilter('plan')
  const [referencia, setReferencia] = useFilter('referencia')
  const state = STATES.find((one) => one === estado)
  const query: InputOf<'GET /api/clientes'>['query'] = {
    ...(buscar ? { buscar } : {}),
    ...(state ? { estado: state } : {}),
    ...(plan ? { plan } : {}),
    ...(referencia ? { referencia } : {}),
  }
  const clients = usePages(
    'GET /api/clientes',
    { query },
    { again: (rows) => (rows.some((row) => row.estado === 'eliminando') ? 2000 : false) },
  )
  const filtered = Object.keys(query).length > 0
  return (
    <>
      <PageHead title={t('Clients', 'Clientes')} wire="GET /api/clientes">
        <Button component={Link} href="/panel/clientes/nuevo" leftSection={<Icon name="plus" />}>
          {t('New client', 'Cliente nuevo')}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter
          name="buscar"
          label={t('Name or e-mail begins with', 'El nombre o el correo empieza por')}
        />
        <ChoiceFilter
          name="estado"
          label={t('State', 'Estado')}
          options={STATES.map((value) => ({ value, label: stateWords(value).label }))}
        />
        <PlanFilter value={plan} onChange={setPlan} />
        <TextField
          mono
          label={t('Reference', 'Referencia')}
          value={referencia}
          onChange={setReferencia}
          placeholder="whmcs:41"
        />
      </div>
      <PagedTable
        label={t('Clients', 'Clientes')}
        pages={clients}
        rowKey={({ cliente }) => cliente}
        columns={[
          {
            head: t('Client', 'Cliente'),
            cell: ({ cliente, nombre }) => (
              <>
                <Link className="name mono" href={clientPath(cliente)}>
                  {cliente}
                </Link>
                {nombre ? <span className="sub">{nombre}</span> : null}
              </>
            ),
          },
          { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} /> },
          { head: 'Plan', cell: ({ plan }) => plan ?? <Nothing /> },
          { head: t('Sites', 'Sitios'), end: true, narrow: true, cell: ({ sitios }) => sitios },
          { head: t('Login', 'Acceso'), cell: ({ acceso }) => <State state={acceso} /> },
          {
            head: t('E-mail', 'Correo'),
            long: true,
            cell: ({ correo, referencia }) => (
              <>
                {correo ?? <Nothing />}
                {referencia ? <span className="sub mono">{referencia}</span> : null}
              </>
            ),
          },
          { head: t('Created', 'Creado'), narrow: true, cell: ({ creado }) => relative(creado) },
        ]}
        empty={
          <Empty
            icon="clients"
            title={
              filtered
                ? t('No client fits these filters.', 'Ningún cliente cumple estos filtros.')
                : t('No clients yet.', 'Aún no hay clientes.')
            }
          >
            {filtered ? (
              <Link href="/panel/clientes">{t('Show all', 'Mostrar todos')}</Link>
            ) : (
              <p>
                {t(
                  'One form makes the client, its site, its zone and its login.',
                  'Un formulario crea el cliente, su sitio, su zona y su acceso.',
                )}
              </p>
            )}
          </Empty>
        }
      />
    </>
  )
}
