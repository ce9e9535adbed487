import { type KeyboardEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { filesPath } from '../../links.ts'
import { counted } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Empty, Waiting } from '../../ui/page.tsx'
import { BinButton } from './bin/bin.tsx'
import { FolderCrumbs } from './crumbs.tsx'
import { type Entry, type Folder, useFolder } from './folder.ts'
import { Kept } from './kept.tsx'
import { keyAction } from './keys.ts'
import { FileList } from './list.tsx'
import { useOpening } from './opening.ts'
import { type Asked, Dialogs } from './operations/dialogs.tsx'
import { isKept, nameOf, parentOf } from './paths.ts'
import { SearchField, useSearch } from './search/field.tsx'
import { Findings, type Found } from './search/findings.tsx'
import { NOTHING, only, type Selection } from './selection.ts'
import { texts } from './texts.ts'
import { MakeBar, SelectionBar } from './toolbar.tsx'
import { DropZone } from './uploads/drop-zone.tsx'
import { SendingArea } from './uploads/sending.tsx'
import { type Viewed, Viewer } from './viewing/viewer.tsx'

/** A folder with all that can be done in it; `served` is the one that visitors see. */
export function Browser({ domain, path, served }: { domain: string; path: string; served: string }) {
  const folder = useFolder(domain, path)
  const [selection, select] = useSelection(path, folder)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [, navigate] = useLocation()
  const go = (to: string) => navigate(filesPath(domain, to))
  const [viewed, setViewed] = useState<Viewed | null>(null)
  const view = (entry: Entry, within = path) => setViewed({ name: entry.nombre, entry, folder: within })
  const opening = useOpening({ domain, path, go, view })
  const entries = folder.rows.filter(({ nombre }) => selection.chosen.has(nombre))
  const search = useSearch(path)
  const leaveTo = (to: string) => {
    search.set('')
    go(to)
  }
  const show = (found: Found) => {
    if (found.tipo === 'carpeta') leaveTo(found.ruta)
    else if (found.tipo === 'enlace') leaveTo(parentOf(found.ruta))
    else view(found, parentOf(found.ruta))
  }
  const act = (event: KeyboardEvent): boolean => {
    const active = folder.rows.find(({ nombre }) => nombre === selection.active)
    const action = keyAction(event, { active, entries })
    if (action === null) return false
    if (action.what === 'open') void opening.open(action.entry)
    else if (action.what === 'up') go(parentOf(path))
    else if (!isKept(path)) setAsked(action)
    return true
  }
  const kept = isKept(path)
  const names = new Set(folder.rows.map(({ nombre }) => nombre))
  return (
    <SendingArea domain={domain} path={path} served={served}>
      <DropZone path={path} closed={kept}>
        <FolderCrumbs domain={domain} path={path} />
        <div className="actions">
          {kept ? null : <MakeBar path={path} ask={setAsked} />}
          <BinButton domain={domain} />
          <SearchField path={path} search={search} />
        </div>
        {kept ? <Kept domain={domain} path={path} served={served} /> : null}
        {search.wanted === '' ? (
          <SelectionBar {...{ entries, kept, ask: setAsked, download: (entry) => opening.download(entry) }} />
        ) : null}
        {opening.error ? <ErrorNote error={opening.error} focus /> : null}
        {search.wanted === '' ? null : (
          <Findings domain={domain} path={path} name={search.wanted} open={show} go={leaveTo} />
        )}
        <Content folder={folder} served={path === served} hidden={search.wanted !== ''}>
          <FileList
            key={path}
            folder={folder}
            selection={selection}
            select={select}
            open={opening.open}
            act={act}
          />
        </Content>
        <Dialogs
          asked={asked}
          here={{
            ...{ domain, path, taken: names, whole: !folder.more },
            close: () => setAsked(null),
            reveal: (name) => select(only(name)),
            begin: (name) => setViewed({ name, entry: null, folder: path }),
          }}
        />
        <Viewer viewed={viewed} domain={domain} close={() => setViewed(null)} download={opening.download} />
      </DropZone>
    </SendingArea>
  )
}

function Content({
  folder,
  served,
  hidden,
  children,
}: {
  folder: Folder
  served: boolean
  hidden: boolean
  children: React.ReactNode
}) {
  const { rows, loading, error, more, retry } = folder
  if (hidden) return null
  if (loading) return <Waiting lines={6} />
  if (rows.length === 0) {
    if (error) return <ErrorNote error={error} retry={retry} />
    return (
      <Empty icon="folder" title={texts.empty}>
        <p>{served ? texts.emptySiteAdvice : texts.emptyAdvice}</p>
      </Empty>
    )
  }
  return (
    <>
      {children}
      {error ? <ErrorNote error={error} retry={retry} /> : null}
      <p className="table-foot">
        {counted(rows.length, texts.oneName, texts.manyNames)}
        {more ? `, ${texts.moreBelow}` : ''}
      </p>
    </>
  )
}

/** What is chosen in the folder that is shown; coming up out of a folder, the keyboard is at that folder. */
function useSelection(path: string, { rows }: Folder): [Selection, (selection: Selection) => void] {
  const [held, setHeld] = useState({ path, selection: NOTHING })
  const before = useRef(path)
  if (held.path !== path) {
    const from = before.current
    before.current = path
    const up = parentOf(from) === path && from !== path ? { ...NOTHING, active: nameOf(from) } : NOTHING
    setHeld({ path, selection: up })
  }
  const { selection } = held
  // What has gone meanwhile is not chosen any more.
  const there = new Set(rows.map(({ nombre }) => nombre))
  const chosen = new Set([...selection.chosen].filter((name) => there.has(name)))
  return [{ ...selection, chosen }, (next) => setHeld({ path, selection: next })]
}
