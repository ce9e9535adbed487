import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Waiting } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note } from '../../ui/state.tsx'
import { DownloadButton } from '../../ui/transfers/button.tsx'
import type { Undo } from './progress.tsx'
import { texts } from './texts.ts'

export type CopyOfClient = ItemOf<'GET /api/clientes/:cliente/copias'>
type Mode = 'aparte' | 'sustituir'
type Props = {
  cliente: string
  copy: CopyOfClient
  close: () => void
  begun: (job: string, undo: Undo) => void
}
/** `mode` is null until it is chosen: what is gone is put where it was. */
type Wanted = { part: string; path: string; mode: Mode | null; into: string }

const partsOf = ({ contenido }: CopyOfClient) => contenido.filter(({ tipo }) => tipo !== 'ajustes')

/** Chooses what of a copy to restore, and where to. */
export function Restore({ cliente, copy, begun, close }: Props) {
  const parts = partsOf(copy)
  const site = parts.find(({ tipo }) => tipo === 'sitio')?.nombre ?? ''
  const [wanted, setWanted] = useState<Wanted>({
    ...{ part: parts[0] ? `${parts[0].tipo} ${parts[0].nombre}` : '', path: '/' },
    ...{ mode: null, into: site },
  })
  const [kind, name = ''] = wanted.part.split(' ')
  const gone = useGone(kind, name, wanted.path.trim())
  const mode = wanted.mode ?? (gone ? 'sustituir' : 'aparte')
  const fromCopy = kind === 'base' ? { base: name } : { sitio: name, ruta: wanted.path.trim() }
  const intoSite = kind === 'base' && mode === 'aparte' ? { sitio: wanted.into } : {}
  const what = { ...fromCopy, ...intoSite }
  const set = (change: Partial<Wanted>) => setWanted((now) => ({ ...now, ...change }))
  return (
    <OpForm
      op="POST /api/clientes/:cliente/copias/:copia/restaurar"
      input={{ params: { cliente, copia: copy.copia }, body: { ...what, modo: mode } }}
      submit={texts.restoreIt}
      danger={mode === 'sustituir' && !gone}
      cancel={close}
      done={({ data }) => begun(data.tarea.id, mode === 'sustituir' ? { cliente, ...what } : null)}
    >
      {(error) => (
        <>
          <Choice
            label={texts.what}
            value={wanted.part}
            onChange={(part) => set({ part, path: '/', mode: null })}
            options={parts.map(({ tipo, nombre }) => ({
              value: `${tipo} ${nombre}`,
              label: tipo === 'base' ? texts.base(nombre) : texts.site(nombre),
            }))}
          />
          {kind === 'sitio' ? (
            <TextField
              mono
              label={texts.path}
              description={texts.pathHint}
              value={wanted.path}
              error={error('ruta')}
              onChange={(path) => set({ path })}
            />
          ) : null}
          {parts.some(({ tipo, nombre, danada }) => danada && wanted.part === `${tipo} ${nombre}`) ? (
            <Note tone="bad" title={texts.isDamaged}>
              <p>{texts.takeAnother}</p>
            </Note>
          ) : null}
          <div className="actions">
            {kind === 'sitio' ? (
              <Browse
                key={name}
                at={{ cliente, copia: copy.copia, site: name }}
                chosen={wanted.path}
                choose={(path) => set({ path })}
              />
            ) : null}
            <DownloadButton
              op="GET /api/clientes/:cliente/copias/:copia/archivo"
              input={{ params: { cliente, copia: copy.copia }, query: fromCopy }}
              name={kind === 'base' ? `${name}.sql.gz` : `${name}.tar.gz`}
              label={common.download}
            />
          </div>
          <Where {...{ cliente, wanted, mode, gone, set }} />
        </>
      )}
    </OpForm>
  )
}

type WhereProps = {
  cliente: string
  wanted: Wanted
  mode: Mode
  /** What is to be restored is not there any more. */
  gone: boolean
  set: (change: Partial<Wanted>) => void
}

function Where({ cliente, wanted, mode, gone, set }: WhereProps) {
  const isBase = wanted.part.startsWith('base ')
  return (
    <>
      <Choice
        label={texts.how}
        {...(mode === 'aparte' ? { description: texts.besideHint } : {})}
        value={mode}
        onChange={(chosen) => set({ mode: chosen === 'sustituir' ? 'sustituir' : 'aparte' })}
        options={[
          { value: 'aparte', label: texts.beside },
          { value: 'sustituir', label: gone ? texts.whereItWas : texts.inPlace },
        ]}
      />
      {isBase && mode === 'aparte' ? (
        <IntoSite cliente={cliente} value={wanted.into} onChange={(into) => set({ into })} />
      ) : null}
      {mode === 'sustituir' && gone ? <p className="small faint">{texts.isGone}</p> : null}
      {mode === 'sustituir' && !gone ? (
        <Note tone="warn" title={texts.replaces}>
          <p>{texts.canUndo}</p>
          {isBase ? null : <p>{wanted.path.trim() === '/' ? texts.settingsToo : texts.settingsStay}</p>}
        </Note>
      ) : null}
    </>
  )
}

type IntoProps = { cliente: string; value: string; onChange: (site: string) => void }

/** A dump is put into a site that is there, which one of the copy need not be. */
function IntoSite({ cliente, value, onChange }: IntoProps) {
  const sites = usePages('GET /api/sitios', { query: { cliente, limite: '200' } })
  const names = sites.rows.map(({ domain }) => domain)
  const [first] = names
  useEffect(() => {
    if (first !== undefined && !names.includes(value)) onChange(first)
  })
  return (
    <Choice
      label={texts.intoSite}
      value={value}
      onChange={onChange}
      options={sites.rows.map(({ domain, domain_unicode }) => ({ value: domain, label: domain_unicode }))}
    />
  )
}

/** Whether what is to be restored is certainly not there now. */
function useGone(kind: string | undefined, name: string, path: string): boolean {
  const [settled] = useDebouncedValue(path, 300)
  const inSite = kind === 'sitio' && settled.startsWith('/') && settled !== '/'
  const query = { ruta: settled.slice(0, Math.max(settled.lastIndexOf('/'), 1)), limite: '200' }
  const folder = useRead(
    'GET /api/sitios/:domain/archivos',
    { params: { domain: name }, query },
    { enabled: inSite },
  )
  const base = useRead('GET /api/bases/:base', { params: { base: name } }, { enabled: kind === 'base' })
  if (kind === 'base') return base.error?.codigo === 'base_no_existe'
  if (!inSite || settled !== path) return false
  if (folder.error) return folder.error.codigo === 'archivo_no_existe'
  if (!folder.data || folder.data.siguiente !== null) return false
  const last = settled.slice(settled.lastIndexOf('/') + 1)
  return !folder.data.datos.some(({ nombre }) => nombre === last)
}

type At = { cliente: string; copia: string; site: string }

/** The folders of a site as the copy has them, to choose one or a file of them. */
function Browse({ at, chosen, choose }: { at: At; chosen: string; choose: (path: string) => void }) {
  const [folder, setFolder] = useState<string | null>(null)
  if (folder === null) {
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="folder" size={14} />}
        onClick={() => setFolder('')}
      >
        {texts.look}
      </Button>
    )
  }
  return (
    <div className="browsed">
      <Folder at={at} folder={folder} open={setFolder} chosen={chosen} choose={choose} />
    </div>
  )
}

type FolderProps = {
  at: At
  folder: string
  open: (folder: string) => void
  chosen: string
  choose: (path: string) => void
}

function Folder({ at: { cliente, copia, site }, folder, open, chosen, choose }: FolderProps) {
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
              variant={chosen === `${folder}/${nombre}` ? 'filled' : 'subtle'}
              {...(tipo === 'carpeta' ? {} : { 'aria-pressed': chosen === `${folder}/${nombre}` })}
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
        <SmallButton onClick={pages.loadMore} loading={pages.loadingMore}>
          …
        </SmallButton>
      ) : null}
    </div>
  )
}
