import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { DownloadButton } from '../../ui/transfers/button.tsx'
import { Progress, type Undo } from './progress.tsx'
import { texts } from './texts.ts'

export type CopyOfClient = ItemOf<'GET /api/clientes/:cliente/copias'>
type Props = { cliente: string; copy: CopyOfClient; close: () => void }
type Wanted = { part: string; path: string; mode: 'aparte' | 'sustituir'; into: string }

/** Restores something of a copy, tells how far that is, and undoes it. */
export function Restore(props: Props) {
  const [begun, setBegun] = useState<{ id: string; undo: Undo } | null>(null)
  if (!begun) return <Choose {...props} begun={(id, undo) => setBegun({ id, undo })} />
  const again = (id: string) => setBegun({ id, undo: begun.undo })
  return <Progress key={begun.id} {...begun} again={again} close={props.close} />
}

const partsOf = ({ contenido }: CopyOfClient) => contenido.filter(({ tipo }) => tipo !== 'ajustes')

function Choose({ cliente, copy, begun, close }: Props & { begun: (id: string, undo: Undo) => void }) {
  const parts = partsOf(copy)
  const site = parts.find(({ tipo }) => tipo === 'sitio')?.nombre ?? ''
  const [wanted, setWanted] = useState<Wanted>({
    ...{ part: parts[0] ? `${parts[0].tipo} ${parts[0].nombre}` : '', path: '/' },
    ...{ mode: 'aparte', into: site },
  })
  const [kind, name = ''] = wanted.part.split(' ')
  const fromCopy = kind === 'base' ? { base: name } : { sitio: name, ruta: wanted.path.trim() }
  const intoSite = kind === 'base' && wanted.mode === 'aparte' ? { sitio: wanted.into } : {}
  const what = { ...fromCopy, ...intoSite }
  const set = (change: Partial<Wanted>) => setWanted((now) => ({ ...now, ...change }))
  return (
    <OpForm
      op="POST /api/clientes/:cliente/copias/:copia/restaurar"
      input={{ params: { cliente, copia: copy.copia }, body: { ...what, modo: wanted.mode } }}
      submit={texts.restoreIt}
      danger={wanted.mode === 'sustituir'}
      cancel={close}
      done={({ data }) => begun(data.tarea.id, wanted.mode === 'sustituir' ? { cliente, ...what } : null)}
    >
      {(error) => (
        <>
          <Choice
            label={texts.what}
            value={wanted.part}
            onChange={(part) => set({ part, path: '/' })}
            options={parts.map(({ tipo, nombre }) => ({
              value: `${tipo} ${nombre}`,
              label: tipo === 'base' ? texts.base(nombre) : texts.site(nombre),
            }))}
          />
          {kind === 'sitio' ? (
            <>
              <TextField
                mono
                label={texts.path}
                description={texts.pathHint}
                value={wanted.path}
                error={error('ruta')}
                onChange={(path) => set({ path })}
              />
              <Browse
                key={name}
                at={{ cliente, copia: copy.copia, site: name }}
                choose={(path) => set({ path })}
              />
            </>
          ) : null}
          <DownloadButton
            op="GET /api/clientes/:cliente/copias/:copia/archivo"
            input={{ params: { cliente, copia: copy.copia }, query: fromCopy }}
            name={kind === 'base' ? `${name}.sql.gz` : `${name}.tar.gz`}
            label={common.download}
          />
          <Where wanted={wanted} set={set} sites={parts.filter(({ tipo }) => tipo === 'sitio')} />
        </>
      )}
    </OpForm>
  )
}

type WhereProps = {
  wanted: Wanted
  set: (change: Partial<Wanted>) => void
  sites: CopyOfClient['contenido']
}

function Where({ wanted, set, sites }: WhereProps) {
  return (
    <>
      <Choice
        label={texts.how}
        value={wanted.mode}
        onChange={(mode) => set({ mode: mode === 'sustituir' ? 'sustituir' : 'aparte' })}
        options={[
          { value: 'aparte', label: texts.beside },
          { value: 'sustituir', label: texts.inPlace },
        ]}
      />
      {wanted.part.startsWith('base ') && wanted.mode === 'aparte' ? (
        <Choice
          label={texts.intoSite}
          value={wanted.into}
          onChange={(into) => set({ into })}
          options={sites.map(({ nombre }) => ({ value: nombre, label: nombre }))}
        />
      ) : null}
      {wanted.mode === 'sustituir' ? (
        <Note tone="warn" title={texts.replaces}>
          <p>{texts.canUndo}</p>
          {wanted.part.startsWith('sitio ') ? (
            <p>{wanted.path.trim() === '/' ? texts.settingsToo : texts.settingsStay}</p>
          ) : null}
        </Note>
      ) : null}
    </>
  )
}

type At = { cliente: string; copia: string; site: string }

/** The folders of a site as the copy has them, to choose one or a file of them. */
function Browse({ at, choose }: { at: At; choose: (path: string) => void }) {
  const [folder, setFolder] = useState<string | null>(null)
  if (folder === null) {
    return (
      <div>
        <Button size="compact-sm" variant="default" onClick={() => setFolder('')}>
          {texts.look}
        </Button>
      </div>
    )
  }
  return <Folder at={at} folder={folder} open={setFolder} choose={choose} />
}

type FolderProps = {
  at: At
  folder: string
  open: (folder: string) => void
  choose: (path: string) => void
}

function Folder({ at: { cliente, copia, site }, folder, open, choose }: FolderProps) {
  const pages = usePages('GET /api/clientes/:cliente/copias/:copia/archivos', {
    params: { cliente, copia },
    query: { ruta: `/sitios/${site}${folder}` },
  })
  const enter = (path: string) => {
    open(path)
    choose(path === '' ? '/' : path)
  }
  if (pages.error) return <ErrorNote error={pages.error} retry={pages.retry} />
  if (pages.loading) return <Waiting lines={2} />
  return (
    <div>
      <p className="small mono">{folder === '' ? '/' : folder}</p>
      <ul className="watch">
        {folder === '' ? null : (
          <li>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => enter(folder.slice(0, folder.lastIndexOf('/')))}
            >
              {texts.upwards}
            </Button>
          </li>
        )}
        {pages.rows.map(({ nombre, tipo }) => (
          <li key={nombre}>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() =>
                tipo === 'carpeta' ? enter(`${folder}/${nombre}`) : choose(`${folder}/${nombre}`)
              }
              aria-label={tipo === 'carpeta' ? texts.openFolder(nombre) : texts.choose(`${folder}/${nombre}`)}
            >
              {tipo === 'carpeta' ? `${nombre}/` : nombre}
            </Button>
          </li>
        ))}
      </ul>
      {pages.rows.length === 0 ? <p className="small faint">{texts.emptyFolder}</p> : null}
      {pages.more ? (
        <Button size="compact-sm" variant="default" onClick={pages.loadMore} loading={pages.loadingMore}>
          …
        </Button>
      ) : null}
    </div>
  )
}
