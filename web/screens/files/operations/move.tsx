import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { common } from '../../../text/common.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Waiting } from '../../../ui/page.tsx'
import { type Entry, useFolder } from '../folder.ts'
import { copyName, isKept, isName, join, nameOf, parentOf, shownName } from '../paths.ts'
import { texts } from '../texts.ts'
import { type Here, Names, nameProblem } from './forms.tsx'
import { Operation } from './operation.tsx'

type Many = Here & { entries: Entry[] }

export function Move({ domain, path, entries, close }: Many) {
  const [target, setTarget] = useState(path)
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'mover',
        rutas: entries.map(({ nombre }) => join(path, nombre)),
        destino: target || '/',
      }}
      merges
      submit={texts.moveHere}
      told={texts.moved}
      disabled={target === path || isKept(target || '/')}
      close={close}
    >
      {(error) => (
        <>
          <Names entries={entries} />
          <FolderField domain={domain} value={target} onChange={setTarget} error={error('destino')} />
        </>
      )}
    </Operation>
  )
}

/** Several go into a folder; a single one may get another name there, as it must beside itself. */
export function Copy({ domain, path, taken, entries, close, reveal }: Many) {
  const single = entries.length === 1 ? (entries[0]?.nombre ?? '') : null
  const [target, setTarget] = useState(path)
  const [name, setName] = useState(single === null ? '' : copyName(single, taken))
  const beside = target === path
  const renamed = single !== null && beside
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'copiar',
        rutas: entries.map(({ nombre }) => join(path, nombre)),
        destino: renamed ? join(path, name) : target || '/',
      }}
      merges={!renamed}
      submit={texts.copyHere}
      told={texts.copied}
      complete={!renamed || (isName(name) && !taken.has(name))}
      disabled={(beside && !renamed) || isKept(target || '/')}
      close={close}
      done={() => renamed && reveal(name)}
    >
      {(error, tried) => (
        <>
          <Names entries={entries} />
          <FolderField domain={domain} value={target} onChange={setTarget} error={error('destino')} />
          {renamed ? (
            <TextField
              mono
              label={texts.copyAs}
              value={name}
              onChange={setName}
              error={nameProblem(name, { taken: taken.has(name), tried })}
            />
          ) : null}
        </>
      )}
    </Operation>
  )
}

type FieldProps = {
  domain: string
  value: string
  onChange: (path: string) => void
  error: string | undefined
}

/** A folder of the site, typed or gone to. */
function FolderField({ domain, value, onChange, error }: FieldProps) {
  const [settled] = useDebouncedValue(value, 250)
  return (
    <div className="stack">
      <TextField
        mono
        label={texts.into}
        value={value}
        onChange={onChange}
        error={error ?? (isKept(value || '/') ? texts.keptHere : undefined)}
        autoFocus
      />
      <Folders domain={domain} path={settled.startsWith('/') ? settled : '/'} go={onChange} />
    </div>
  )
}

function Folders({ domain, path, go }: { domain: string; path: string; go: (path: string) => void }) {
  const folder = useFolder(domain, path.length > 1 ? path.replace(/\/$/, '') : path)
  const inside = folder.rows.filter(({ tipo }) => tipo === 'carpeta')
  if (folder.loading) return <Waiting lines={3} />
  if (folder.error) return <ErrorNote error={folder.error} />
  return (
    <div className="folder-choice">
      {path === '/' ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="undo" size={14} />}
          onClick={() => go(parentOf(path))}
        >
          {texts.up}
        </Button>
      )}
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
        <Button size="compact-sm" variant="default" loading={folder.loadingMore} onClick={folder.loadMore}>
          {common.loadMore}
        </Button>
      ) : null}
    </div>
  )
}
