import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { bytes, dateTime } from '../../../text/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Empty } from '../../../ui/page.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { type Column, PagedTable } from '../../../ui/table.tsx'
import { parentOf, shownName } from '../paths.ts'
import { ICONS } from '../search/findings.tsx'
import { texts as files } from '../texts.ts'
import { Restored, WithChosen } from './chosen.tsx'
import { Remove, Restore } from './forms.tsx'
import { BIN, type Entry, type Left } from './restore-all.ts'
import { useRestoring } from './restoring.ts'
import { texts } from './texts.ts'

/** The bin of a site's files, behind its button. */
export function BinButton({ domain }: { domain: string }) {
  const [search, setSearch] = useSearchParams()
  const [opened, setOpened] = useState(false)
  const isAskedFor = search.has('papelera')
  const close = () => {
    setOpened(false)
    // Else a link to it would do nothing the next time.
    if (isAskedFor) setSearch(without('papelera'), { replace: true })
  }
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
      <Dialog title={texts.bin} opened={opened || isAskedFor} close={close} size="70rem" unsaved={false}>
        {opened || isAskedFor ? <Bin domain={domain} /> : null}
      </Dialog>
    </>
  )
}

const without = (name: string) => (search: URLSearchParams) => {
  const rest = new URLSearchParams(search)
  rest.delete(name)
  return rest
}

type Asked = { restore: Left } | { remove: Entry[] | null }

function Bin({ domain }: { domain: string }) {
  const pages = usePages(BIN, { params: { domain }, query: { limite: '200' } })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [keys, choose] = useState<ReadonlySet<string>>(new Set())
  const restoring = useRestoring(domain, (left) => setAsked({ restore: left }))
  const close = () => setAsked(null)
  if (asked !== null && 'restore' in asked)
    return <Restore domain={domain} left={asked.restore} close={close} />
  if (asked !== null) return <Remove domain={domain} entries={asked.remove} close={close} />
  const isBusy = restoring.progress !== null
  return (
    <div className="form file-bin">
      <p className="faint small">{texts.whatIsInIt}</p>
      <Restored restoring={restoring} there={pages.rows} />
      <PagedTable
        label={texts.deletedFiles}
        columns={columnsOf({
          isBusy,
          restore: (entry) => void restoring.run([entry]),
          remove: (entry) => setAsked({ remove: [entry] }),
        })}
        pages={pages}
        rowKey={({ id }) => id}
        rowName={({ nombre }) => shownName(nombre)}
        chosen={{ keys, choose }}
        empty={
          <Empty icon="trash" title={texts.nothing}>
            <p>{texts.nothingAdvice}</p>
          </Empty>
        }
      />
      {pages.rows.length === 0 ? null : (
        <WithChosen
          rows={pages.rows}
          chosen={pages.rows.filter(({ id }) => keys.has(id))}
          choose={choose}
          isBusy={isBusy}
          restore={(entries) => void restoring.run(entries)}
          remove={(entries) => setAsked({ remove: entries })}
        />
      )}
    </div>
  )
}

type Row = { isBusy: boolean; restore: (entry: Entry) => void; remove: (entry: Entry) => void }

const columnsOf = ({ isBusy, restore, remove }: Row): Column<Entry>[] => [
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
        <SmallButton disabled={isBusy} onClick={() => restore(entry)}>
          {texts.restore}
        </SmallButton>
        <SmallButton disabled={isBusy} onClick={() => remove(entry)}>
          {common.delete}
        </SmallButton>
      </div>
    ),
  },
]
