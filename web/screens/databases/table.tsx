import { Button, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { Connection } from './connection.tsx'
import { CreateDatabase, RemoveDatabase } from './forms.tsx'
import { LoadDump } from './load.tsx'
import { texts } from './texts.ts'

export type Database = ItemOf<'GET /api/bases'>
type Open = { what: 'create' } | { what: 'connect' | 'load' | 'delete'; base: string } | null

/** The databases that may be seen, or those of one client. */
export default function DatabaseTable({ cliente }: { cliente?: string }) {
  const [open, setOpen] = useState<Open>(null)
  const [search, setSearch] = useState('')
  const buscar = useDeferredValue(search.trim().toLowerCase())
  const query = { ...(buscar ? { buscar } : {}), ...(cliente ? { cliente } : {}) }
  const pages = usePages('GET /api/bases', { query }, { again: soonest })
  return (
    <>
      <search className="filters">
        <TextInput
          className="grow"
          type="search"
          label={texts.nameBegins}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
        />
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
  const base = open && open.what !== 'create' ? open.base : ''
  return (
    <>
      <Dialog title={texts.newDatabase} opened={open?.what === 'create'} close={close}>
        <CreateDatabase cliente={cliente} close={close} />
      </Dialog>
      <Dialog title={base} opened={open?.what === 'load'} close={close}>
        <LoadDump base={base} close={close} />
      </Dialog>
      <Dialog title={base} opened={open?.what === 'delete'} close={close}>
        <RemoveDatabase base={base} close={close} />
      </Dialog>
      <Connection base={base} opened={open?.what === 'connect'} close={close} />
    </>
  )
}

const columns = (open: (what: Open) => void): Column<Database>[] => [
  { head: texts.database, cell: ({ base }) => <span className="name mono">{base}</span> },
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
    cell: ({ base, estado }) =>
      estado === 'eliminando' ? null : (
        <>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => open({ what: 'connect', base })}
            aria-label={`${texts.connect} ${base}`}
          >
            {texts.connect}
          </Button>{' '}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => open({ what: 'load', base })}
            aria-label={`${texts.loadDump} ${base}`}
          >
            {texts.loadDump}
          </Button>{' '}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => open({ what: 'delete', base })}
            aria-label={`${common.delete} ${base}`}
          >
            {common.delete}
          </Button>
        </>
      ),
  },
]

function NoDatabases({ searched }: { searched: string }) {
  if (searched) return <Empty icon="search" title={texts.noneBegins} />
  return (
    <Empty icon="databases" title={texts.noDatabases}>
      <p>{texts.whatForDatabases}</p>
    </Empty>
  )
}
