import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { Waiting } from '../../ui/page.tsx'
import { useFolder } from './folder.ts'
import { join, parentOf, shownName } from './paths.ts'
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
      {folder === '/' ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="undo" size={14} />}
          onClick={() => go(parentOf(folder))}
        >
          {texts.up}
        </Button>
      )}
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
