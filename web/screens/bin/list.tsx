import { TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { bytes, dateTime } from '../../text/format.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useIsShort } from '../../ui/lists/short.ts'
import { useIsOperator } from '../../ui/look/wire.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import type { Deleted } from './data.ts'
import { FileBins } from './files.tsx'
import { Purge } from './purge.tsx'
import { Restore } from './restore.tsx'
import { texts } from './texts.ts'

type Open = { what: 'restore' | 'purge'; entry: Deleted } | null

const ICONS = { sitio: 'sites', base: 'databases', cliente: 'clients' } as const

/** What was deleted: an operator sees all of the node's, a customer its own. */
export default function Bin() {
  const operator = useIsOperator()
  const [open, setOpen] = useState<Open>(null)
  const [search, setSearch] = useState('')
  const buscar = useDeferredValue(search.trim())
  const pages = usePages(
    'GET /api/papelera',
    { query: buscar ? { buscar } : {} },
    { again: nextLook, fresh: true },
  )
  const short = useIsShort(pages, search !== '')
  const close = () => {
    setOpen(null)
    pages.retry()
  }
  return (
    <>
      <PageHead
        title={common.bin}
        wire="GET /api/papelera"
        lead={operator ? texts.whatItIsForOperators : texts.whatItIs}
      />
      {!short && (pages.rows.length > 0 || buscar) ? (
        <search className="filters">
          <TextInput
            className="grow"
            type="search"
            label={texts.nameHas}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            leftSection={<Icon name="search" size={14} />}
          />
        </search>
      ) : null}
      <PagedTable
        label={common.bin}
        pages={pages}
        rowKey={({ id }) => id}
        columns={columns(operator, setOpen)}
        empty={<Nothing searched={buscar} />}
      />
      {operator ? null : <FileBins />}
      <Dialog title={open?.entry.nombre} opened={open?.what === 'restore'} close={close}>
        {open?.what === 'restore' ? <Restore entry={open.entry} close={close} /> : null}
      </Dialog>
      <Dialog title={open?.entry.nombre} opened={open?.what === 'purge'} close={close}>
        {open?.what === 'purge' ? <Purge entry={open.entry} close={close} /> : null}
      </Dialog>
    </>
  )
}

/** What was deleted just now comes here once that is done, and its size later. */
const nextLook = (rows: Deleted[]): number => (rows.some(({ bytes }) => bytes === null) ? 2000 : 5000)

function columns(operator: boolean, open: (what: Open) => void): Column<Deleted>[] {
  const client: Column<Deleted> = {
    head: common.client,
    cell: ({ cliente, tipo }) => <ClientLink client={tipo === 'cliente' ? null : cliente} />,
  }
  return [
    {
      head: common.name,
      long: true,
      cell: ({ tipo, nombre }) => (
        <span className="file-name">
          <Icon name={ICONS[tipo]} />
          <span>
            <span className="name mono">{nombre}</span>
            <span className="sub">{texts[tipo]}</span>
          </span>
        </span>
      ),
    },
    ...(operator ? [client] : []),
    { head: texts.deletedAt, cell: ({ borrado }) => dateTime(borrado) },
    { head: texts.keptUntil, cell: ({ caduca }) => dateTime(caduca) },
    {
      head: texts.size,
      end: true,
      cell: (entry) =>
        entry.bytes === null ? <span className="faint">{texts.measuring}</span> : bytes(entry.bytes),
    },
    {
      head: common.actions,
      actions: true,
      cell: (entry) => (
        <>
          <SmallButton
            onClick={() => open({ what: 'restore', entry })}
            aria-label={`${texts.restore} ${entry.nombre}`}
          >
            {texts.restore}
          </SmallButton>
          {operator ? (
            <>
              {' '}
              <SmallButton
                onClick={() => open({ what: 'purge', entry })}
                aria-label={`${texts.purge} ${entry.nombre}`}
              >
                {texts.purge}
              </SmallButton>
            </>
          ) : null}
        </>
      ),
    },
  ]
}

function Nothing({ searched }: { searched: string }) {
  if (searched) return <Empty icon="search" title={texts.nothingFound} />
  return (
    <Empty icon="trash" title={texts.nothing}>
      <p>{texts.nothingAdvice}</p>
    </Empty>
  )
}
