import { Button, TextInput } from '@mantine/core'
import { Fragment, useDeferredValue, useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useIsShort } from '../../ui/lists/short.ts'
import { NewTabButton } from '../../ui/new-tab.tsx'
import { Empty } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { Connection } from './connection.tsx'
import { CreateDatabase, RemoveDatabase } from './forms.tsx'
import { ImportExport } from './load.tsx'
import { texts } from './texts.ts'

export type Database = ItemOf<'GET /api/bases'>
type Open = { what: 'create' } | { what: 'connect' | 'load' | 'delete'; base: string; owner: string } | null

/** The databases that may be seen, or those of one client. */
export default function DatabaseTable({ cliente }: { cliente?: string }) {
  const [open, setOpen] = useState<Open>(null)
  const [search, setSearch] = useState('')
  const buscar = useDeferredValue(search.trim().toLowerCase())
  const query = { ...(buscar ? { buscar } : {}), ...(cliente ? { cliente } : {}) }
  const pages = usePages('GET /api/bases', { query }, { again: soonest })
  const short = useIsShort(pages, search !== '')
  return (
    <>
      <search className="filters">
        {short ? null : (
          <TextInput
            className="grow"
            type="search"
            label={texts.nameBegins}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            leftSection={<Icon name="search" size={14} />}
          />
        )}
        <Button
          className="filter-action"
          leftSection={<Icon name="plus" />}
          onClick={() => setOpen({ what: 'create' })}
        >
          {texts.newDatabase}
        </Button>
      </search>
      <PagedTable
        label={common.databases}
        pages={pages}
        rowKey={({ base }) => base}
        columns={columns(setOpen)}
        empty={<NoDatabases searched={buscar} />}
      />
      <Dialogs open={open} cliente={cliente} close={() => setOpen(null)} />
    </>
  )
}

/** Looks again while one of them is on its way. */
const soonest = (rows: Database[]): number | false =>
  rows.some(({ estado }) => ['preparando', 'cargando', 'eliminando'].includes(estado)) ? 2000 : false

type DialogsProps = { open: Open; cliente: string | undefined; close: () => void }

function Dialogs({ open, cliente, close }: DialogsProps) {
  const { base, owner } = open && open.what !== 'create' ? open : { base: '', owner: '' }
  return (
    <>
      <Dialog title={texts.newDatabase} opened={open?.what === 'create'} close={close}>
        <CreateDatabase cliente={cliente} close={close} />
      </Dialog>
      <Dialog title={`${texts.importExport}: ${base}`} opened={open?.what === 'load'} close={close}>
        <ImportExport base={base} cliente={owner} close={close} />
      </Dialog>
      <Dialog title={base} opened={open?.what === 'delete'} close={close}>
        <RemoveDatabase base={base} close={close} />
      </Dialog>
      <Connection base={base} opened={open?.what === 'connect'} close={close} />
    </>
  )
}

const columns = (open: (what: Open) => void): Column<Database>[] => [
  {
    head: texts.database,
    cell: ({ base, sitio }) => (
      <div>
        <span className="name mono">{base}</span>
        {sitio ? <span className="sub">{texts.ofSite(sitio)}</span> : null}
      </div>
    ),
  },
  {
    head: common.state,
    cell: ({ estado, error }) => (
      <div>
        <State state={estado} />
        {error ? <span className="sub">{error}</span> : null}
      </div>
    ),
  },
  { head: texts.use, end: true, cell: (base) => bytes(base.bytes) },
  {
    head: common.actions,
    actions: true,
    cell: (row) => (row.estado === 'eliminando' ? null : <RowActions row={row} open={open} />),
  },
]

type RowProps = { row: Database; open: (what: Open) => void }

const RowActions = ({ row: { base, cliente }, open }: RowProps) => (
  <>
    <NewTabButton
      small
      op="POST /api/bases/:base/sesion"
      input={{ params: { base } }}
      url={({ data }) => data.url}
      label={texts.open}
      name={`${texts.open} ${base}`}
    />{' '}
    {(['connect', 'load', 'delete'] as const).map((what) => (
      <Fragment key={what}>
        <SmallButton
          onClick={() => open({ what, base, owner: cliente })}
          aria-label={`${ACTIONS()[what]} ${base}`}
        >
          {ACTIONS()[what]}
        </SmallButton>{' '}
      </Fragment>
    ))}
  </>
)

const ACTIONS = () => ({ connect: texts.connect, load: texts.importExport, delete: common.delete })

function NoDatabases({ searched }: { searched: string }) {
  if (searched) return <Empty icon="search" title={texts.noneBegins} />
  return (
    <Empty icon="databases" title={texts.noDatabases}>
      <p>{texts.whatForDatabases}</p>
    </Empty>
  )
}
