import { Button } from '@mantine/core'
import { useState } from 'react'
import { TextField } from '../../../ui/forms/fields.tsx'
import { required } from '../../../ui/forms/rules.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Waiting } from '../../../ui/page.tsx'
import { useFolder } from '../../files/folder.ts'
import { join, parentOf, shownName } from '../../files/paths.ts'
import { texts } from './texts.ts'

type Props = {
  domain: string
  /** Relative to the site's folder. */
  value: string
  onChange: (path: string) => void
  error: string | undefined
}

/** A PHP file of the site, typed or found in its folders. */
export function ScriptField({ domain, value, onChange, error }: Props) {
  const [folder, setFolder] = useState<string | null>(null)
  return (
    <div className="stack">
      <TextField
        mono
        label={texts.script}
        description={texts.scriptHint}
        placeholder="public/tarea.php"
        value={value}
        onChange={onChange}
        check={required}
        error={error}
      />
      {folder === null ? (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setFolder('/public')}>
            {texts.chooseScript}
          </Button>
        </div>
      ) : (
        <Scripts domain={domain} folder={folder} go={setFolder} chosen={value} choose={onChange} />
      )}
    </div>
  )
}

type ScriptsProps = {
  domain: string
  folder: string
  go: (folder: string) => void
  chosen: string
  choose: (path: string) => void
}

function Scripts({ domain, folder, go, chosen, choose }: ScriptsProps) {
  const { rows, loading } = useFolder(domain, folder)
  if (loading) return <Waiting lines={3} />
  const wanted = rows.filter(({ tipo, nombre }) => tipo === 'carpeta' || nombre.endsWith('.php'))
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
        {wanted.map(({ nombre, tipo }) => {
          const path = join(folder, nombre)
          const isFolder = tipo === 'carpeta'
          return (
            <li key={nombre}>
              <button
                type="button"
                className="file-name"
                {...(isFolder ? {} : { 'aria-pressed': chosen === path.slice(1) })}
                onClick={() => (isFolder ? go(path) : choose(path.slice(1)))}
              >
                <Icon name={isFolder ? 'folder' : chosen === path.slice(1) ? 'check' : 'file'} />
                <bdi>{shownName(nombre)}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
      {wanted.length === 0 ? <p className="faint small">{texts.noScripts}</p> : null}
    </div>
  )
}
