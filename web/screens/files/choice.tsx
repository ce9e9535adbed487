import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Waiting } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { useFolder } from './folder.ts'
import { join, nameOf, parentOf, shownName } from './paths.ts'
import { texts } from './texts.ts'

type Props = {
  domain: string
  /** Where it begins. */
  folder: string
  /** A path of the site, or nothing. */
  chosen: string
  choose: (path: string) => void
  /** Whether a file of that name is offered. */
  fits: (name: string) => boolean
  /** What is said of a folder without any. */
  none: string
}

/** Chooses one file of a site in its folders. */
export function FileChoice({ domain, folder: first, chosen, choose, fits, none }: Props) {
  const [folder, go] = useState(first)
  const { rows, loading } = useFolder(domain, folder)
  if (loading) return <Waiting lines={3} />
  const offered = rows.filter(({ tipo, nombre }) => tipo === 'carpeta' || fits(nombre))
  return (
    <div className="folder-choice">
      {folder === '/' ? null : <Up go={() => go(parentOf(folder))} />}
      <ul aria-label={texts.filesIn(folder)}>
        {offered.map(({ nombre, tipo }) => {
          const path = join(folder, nombre)
          const isFolder = tipo === 'carpeta'
          return (
            <li key={nombre}>
              <button
                type="button"
                className="file-name"
                {...(isFolder ? {} : { 'aria-pressed': chosen === path })}
                onClick={() => (isFolder ? go(path) : choose(path))}
              >
                <Icon name={isFolder ? 'folder' : chosen === path ? 'check' : 'file'} />
                <bdi>{shownName(nombre)}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
      {offered.length === 0 ? <p className="faint small">{none}</p> : null}
    </div>
  )
}

const Up = ({ go }: { go: () => void }) => (
  <Button size="compact-sm" variant="subtle" leftSection={<Icon name="undo" size={14} />} onClick={go}>
    {texts.up}
  </Button>
)

type FolderProps = {
  domain: string
  /** The one that is chosen, in which the next is. */
  path: string
  go: (path: string) => void
  /** Out of which nothing can be chosen. */
  within?: string
}

/** Chooses a folder of a site by going to it. */
export function FolderChoice({ domain, path, go, within = '/' }: FolderProps) {
  const folder = useFolder(domain, path.length > 1 ? path.replace(/\/$/, '') : path)
  const inside = folder.rows.filter(({ tipo }) => tipo === 'carpeta')
  if (folder.loading) return <Waiting lines={3} />
  if (folder.error) return <ErrorNote error={folder.error} />
  return (
    <div className="folder-choice">
      {path === within ? null : <Up go={() => go(parentOf(path))} />}
      <ul aria-label={texts.foldersIn(nameOf(path) || texts.siteFolder)}>
        {inside.map(({ nombre }) => (
          <li key={nombre}>
            <button type="button" className="file-name" onClick={() => go(join(path, nombre))}>
              <Icon name="folder" />
              <bdi>{shownName(nombre)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {inside.length === 0 && !folder.more ? <p className="faint small">{texts.noFolders}</p> : null}
      {folder.more ? (
        <SmallButton loading={folder.loadingMore} onClick={folder.loadMore}>
          {common.loadMore}
        </SmallButton>
      ) : null}
    </div>
  )
}
