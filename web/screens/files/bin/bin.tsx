import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../../api/hooks.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { bytes, dateTime } from '../../../text/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Empty } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import { type Column, PagedTable } from '../../../ui/table.tsx'
import { Operation } from '../operations/operation.tsx'
import { parentOf, shownName } from '../paths.ts'
import { ICONS } from '../search/findings.tsx'
import { texts as files } from '../texts.ts'
import { texts } from './texts.ts'

const BIN = 'GET /api/sitios/:domain/archivos/papelera'
type Entry = ItemOf<typeof BIN>
type Asked = { what: 'restore' | 'delete'; entry: Entry } | { what: 'empty' }

/** The bin of a site's files, behind its button. */
export function BinButton({ domain }: { domain: string }) {
  const [search] = useSearchParams()
  const [opened, setOpened] = useState(search.has('papelera'))
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => setOpened(true)}
      >
        {texts.bin}
      </Button>
      <Dialog title={texts.bin} opened={opened} close={() => setOpened(false)} size="70rem" unsaved={false}>
        {opened ? <Bin domain={domain} /> : null}
      </Dialog>
    </>
  )
}

function Bin({ domain }: { domain: string }) {
  const pages = usePages(BIN, { params: { domain } })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  if (asked?.what === 'restore') return <Restore domain={domain} entry={asked.entry} close={close} />
  if (asked !== null) return <Remove domain={domain} asked={asked} close={close} />
  return (
    <div className="form">
      <p className="faint small">{texts.whatIsInIt}</p>
      <PagedTable
        label={texts.deletedFiles}
        columns={columnsOf(setAsked)}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="trash" title={texts.nothing}>
            <p>{texts.nothingAdvice}</p>
          </Empty>
        }
      />
      {pages.rows.length === 0 ? null : (
        <div className="form-foot">
          <Button variant="default" onClick={() => setAsked({ what: 'empty' })}>
            {texts.emptyBin}
          </Button>
        </div>
      )}
    </div>
  )
}

const columnsOf = (ask: (asked: Asked) => void): Column<Entry>[] => [
  {
    head: common.name,
    long: true,
    cell: ({ nombre, tipo }) => (
      <span className="file-name">
        <Icon name={ICONS[tipo]} />
        <span className="visually-hidden">{files[tipo]}: </span>
        <bdi>{shownName(nombre)}</bdi>
      </span>
    ),
  },
  {
    head: texts.was,
    long: true,
    cell: ({ ruta }) => <bdi className="mono">{shownName(parentOf(ruta))}</bdi>,
  },
  { head: files.size, end: true, cell: (entry) => (entry.tipo === 'archivo' ? bytes(entry.bytes) : '—') },
  { head: texts.deleted, cell: ({ borrado }) => dateTime(borrado) },
  { head: texts.until, cell: ({ caduca }) => dateTime(caduca) },
  {
    head: texts.actions,
    actions: true,
    narrow: true,
    cell: (entry) => (
      <div className="actions">
        <Button size="compact-sm" variant="default" onClick={() => ask({ what: 'restore', entry })}>
          {texts.restore}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => ask({ what: 'delete', entry })}>
          {common.delete}
        </Button>
      </div>
    ),
  },
]

type Forms = { domain: string; close: () => void }

/** Back to where it was, or to another name where that is taken. */
function Restore({ domain, entry, close }: Forms & { entry: Entry }) {
  const [path, setPath] = useState(entry.ruta)
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'restaurar',
        borrados: [entry.id],
        ...(path === entry.ruta ? {} : { destino: path }),
      }}
      submit={texts.restore}
      told={texts.restored}
      complete={path.startsWith('/')}
      close={close}
    >
      {(error) => (
        <TextField
          mono
          label={texts.restoreAs}
          description={texts.restoreHint}
          value={path}
          onChange={setPath}
          error={error('destino')}
          autoFocus
        />
      )}
    </Operation>
  )
}

function Remove({ domain, asked, close }: Forms & { asked: Asked }) {
  const all = asked.what === 'empty'
  return (
    <Operation
      domain={domain}
      body={{ operacion: 'vaciar', ...(all ? {} : { borrados: [asked.entry.id] }) }}
      submit={all ? texts.emptyBin : texts.deleteForGood}
      told={all ? texts.emptied : common.deleted}
      danger
      close={close}
    >
      {() => (
        <Note tone="warn" title={all ? texts.whatEmptyingDoes : texts.whatDeletingDoes}>
          {all ? null : <bdi className="mono">{shownName(asked.entry.ruta)}</bdi>}
        </Note>
      )}
    </Operation>
  )
}
