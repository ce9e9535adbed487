import { Button, Checkbox, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { number } from '../../../text/format.ts'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { Note } from '../../../ui/state.tsx'
import { type Entry, LIST } from '../folder.ts'
import { isName, join, nameOf, shownName, withoutArchive } from '../paths.ts'
import { texts } from '../texts.ts'
import { Operation } from './operation.tsx'
import { bringBack } from './undo.ts'

export type Here = {
  domain: string
  /** The folder that is shown. */
  path: string
  /** Names in it, as far as they were read. */
  taken: ReadonlySet<string>
  /** All of them were read. */
  whole: boolean
  close: () => void
  /** The name that the list goes to next. */
  reveal: (name: string) => void
  /** Begins a file of that name, which is there once it is saved. */
  begin: (name: string) => void
}

export function NewFolder({ domain, path, taken, close, reveal }: Here) {
  const [name, setName] = useState('')
  return (
    <Operation
      domain={domain}
      body={{ operacion: 'carpeta', rutas: [join(path, name)] }}
      submit={common.create}
      told={texts.made(name)}
      complete={isName(name) && !taken.has(name)}
      close={close}
      done={() => reveal(name)}
    >
      {(error, tried) => (
        <TextField
          mono
          label={texts.nameOfFolder}
          value={name}
          onChange={setName}
          error={error('rutas') ?? nameProblem(name, { taken: taken.has(name), tried })}
          autoFocus
        />
      )}
    </Operation>
  )
}

/** Asks for the name; the file is made by what is saved in it. */
export function NewFile({ taken, close, begin, reveal }: Here) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const go = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isName(name) || taken.has(name)) return
    close()
    reveal(name)
    begin(name)
  }
  return (
    <form className="form" onSubmit={go} noValidate>
      <TextField
        mono
        label={texts.nameOfFile}
        value={name}
        onChange={setName}
        error={nameProblem(name, { taken: taken.has(name), tried })}
        autoFocus
      />
      <div className="form-foot">
        <Button type="submit">{common.continue}</Button>
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  )
}

/** What is wrong with a name: at once where it is taken, else once it was tried. */
export function nameProblem(name: string, about: { taken: boolean; tried: boolean }): string | undefined {
  if (about.taken) return texts.nameTaken
  return about.tried && !isName(name) ? texts.noName : undefined
}

/** Moving to the name of a folder that is there would move into it: what is not in the list is asked for. */
function useTaken({ domain, path, taken, whole }: Here, name: string): boolean {
  const asked = { params: { domain }, query: { ruta: join(path, name), limite: '1' } }
  const there = useRead(LIST, asked, { enabled: !whole && isName(name) && !taken.has(name) })
  return taken.has(name) || (!whole && there.data !== undefined)
}

export function Rename({ entry, ...here }: Here & { entry: Entry }) {
  const { domain, path, close, reveal } = here
  const [name, setName] = useState(entry.nombre)
  const known = useTaken(here, name)
  const taken = name !== entry.nombre && known
  return (
    <Operation
      domain={domain}
      body={{ operacion: 'mover', rutas: [join(path, entry.nombre)], destino: join(path, name) }}
      submit={texts.rename}
      told={texts.renamed}
      complete={isName(name) && name !== entry.nombre && !taken}
      close={close}
      done={() => reveal(name)}
    >
      {(error, tried) => (
        <TextField
          mono
          label={texts.newName}
          value={name}
          onChange={setName}
          error={error('destino') ?? nameProblem(name, { taken: taken || (tried && known), tried })}
          autoFocus
        />
      )}
    </Operation>
  )
}

type Many = Here & { entries: Entry[] }
const NAMED = 8

/** The names that something is done to, as far as there is room. */
export function Names({ entries }: { entries: Entry[] }) {
  return (
    <ul className="bullets">
      {entries.slice(0, NAMED).map(({ nombre }) => (
        <li key={nombre}>
          <bdi className="mono">{shownName(nombre)}</bdi>
        </li>
      ))}
      {entries.length > NAMED ? <li>{texts.andMore(number(entries.length - NAMED))}</li> : null}
    </ul>
  )
}

/** Into the bin, or for good, as a full plan may need it. */
export function Delete({ domain, path, entries, close }: Many) {
  const [forGood, setForGood] = useState(false)
  const rutas = entries.map(({ nombre }) => join(path, nombre))
  return (
    <Operation
      domain={domain}
      body={{ operacion: forGood ? 'borrar' : 'papelera', rutas }}
      {...(forGood ? {} : { undo: () => void bringBack(domain, rutas) })}
      submit={common.delete}
      told={common.deleted}
      danger
      close={close}
    >
      {() => (
        <>
          <Note tone={forGood ? 'warn' : 'info'} title={forGood ? texts.whatDeletingDoes : texts.goesToBin}>
            <Names entries={entries} />
          </Note>
          <Checkbox
            label={texts.deleteForGood}
            checked={forGood}
            onChange={(event) => setForGood(event.currentTarget.checked)}
          />
        </>
      )}
    </Operation>
  )
}

const FORMATS = ['.zip', '.tar.gz', '.tar.zst']

export function Compress({ domain, path, taken, entries, close, reveal }: Many) {
  const [stem, setStem] = useState(
    entries.length === 1 ? shownName(entries[0]?.nombre ?? '') : nameOf(path) || domain,
  )
  const [format, setFormat] = useState('.zip')
  const name = `${stem}${format}`
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'comprimir',
        rutas: entries.map(({ nombre }) => join(path, nombre)),
        destino: join(path, name),
      }}
      submit={texts.compress}
      told={texts.packed(name)}
      complete={isName(name) && stem !== '' && !taken.has(name)}
      close={close}
      done={() => reveal(name)}
    >
      {(error, tried) => (
        <div className="pair">
          <TextField
            mono
            label={texts.archiveName}
            value={stem}
            onChange={setStem}
            error={error('destino') ?? nameProblem(stem, { taken: taken.has(name), tried })}
            autoFocus
          />
          <Choice
            label={texts.format}
            value={format}
            onChange={setFormat}
            options={FORMATS.map((one) => ({ value: one, label: one }))}
          />
        </div>
      )}
    </Operation>
  )
}

/** Into the folder that is shown, or into one of its own. */
export function Extract({ domain, path, entry, close, reveal }: Here & { entry: Entry }) {
  const [here, setHere] = useState(true)
  const [name, setName] = useState(shownName(withoutArchive(entry.nombre)))
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'extraer',
        rutas: [join(path, entry.nombre)],
        destino: here ? path : join(path, name),
      }}
      merges
      submit={texts.extract}
      told={here ? texts.unpackedHere : texts.unpacked(name)}
      complete={here || isName(name)}
      close={close}
      done={() => here || reveal(name)}
    >
      {(error, tried) => (
        <>
          <Radio.Group
            label={texts.extractWhere}
            value={here ? 'here' : 'folder'}
            onChange={(value) => setHere(value === 'here')}
          >
            <div className="stack">
              <Radio value="here" label={texts.extractHere(nameOf(path) || path)} />
              <Radio value="folder" label={texts.extractInFolder} />
            </div>
          </Radio.Group>
          {here ? null : (
            <TextField
              mono
              label={texts.extractInto}
              value={name}
              onChange={setName}
              error={error('destino') ?? nameProblem(name, { taken: false, tried })}
            />
          )}
        </>
      )}
    </Operation>
  )
}
