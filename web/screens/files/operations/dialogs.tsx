import { common } from '../../../text/common.ts'
import { number } from '../../../text/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Entry } from '../folder.ts'
import { shownName } from '../paths.ts'
import { texts } from '../texts.ts'
import { Compress, Delete, Extract, type Here, NewFile, NewFolder, Rename } from './forms.tsx'
import { Copy, Move } from './move.tsx'
import { Permissions } from './permissions.tsx'

export type What = 'rename' | 'move' | 'copy' | 'delete' | 'permissions' | 'compress' | 'extract'
/** What is asked about in a dialog. */
export type Asked = { what: 'folder' } | { what: 'file' } | { what: What; entries: Entry[] }

/** Asks about one operation at a time. */
export function Dialogs({ asked, here }: { asked: Asked | null; here: Here }) {
  return (
    <Dialog title={asked ? title(asked) : ''} opened={asked !== null} close={here.close} closed={toList}>
      {asked ? <Form asked={asked} here={here} /> : null}
    </Dialog>
  )
}

/** The list may have been drawn anew behind the dialog, and then nothing has the focus. */
export function toList(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('.file-list')?.focus({ preventScroll: true })
}

function Form({ asked, here }: { asked: Asked; here: Here }) {
  if (asked.what === 'folder') return <NewFolder {...here} />
  if (asked.what === 'file') return <NewFile {...here} />
  const { what, entries } = asked
  const [first] = entries
  if (!first) return null
  if (what === 'rename') return <Rename {...here} entry={first} />
  if (what === 'extract') return <Extract {...here} entry={first} />
  const Many = MANY[what]
  return <Many {...here} entries={entries} />
}

const MANY = { move: Move, copy: Copy, delete: Delete, permissions: Permissions, compress: Compress }

function title(asked: Asked): string {
  if (asked.what === 'folder') return texts.newFolder
  if (asked.what === 'file') return texts.newFile
  const { what, entries } = asked
  const [first] = entries
  const about = entries.length === 1 && first ? shownName(first.nombre) : number(entries.length)
  if (what === 'delete') return entries.length === 1 ? `${common.delete} ${about}` : texts.deleteMany(about)
  return `${texts[what]}: ${about}`
}
