import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { TextField } from '../../../ui/forms/fields.tsx'
import { FolderChoice } from '../choice.tsx'
import type { Entry } from '../folder.ts'
import { copyName, isKept, isName, join } from '../paths.ts'
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
      <FolderChoice domain={domain} path={settled.startsWith('/') ? settled : '/'} go={onChange} />
    </div>
  )
}
