import type { BinEntry, BinPort } from '../endpoint/ports/bin.ts'
import type { Db } from '../store/database.ts'
import { keptUntil, type NamedOwner, nameOf, ownerName, type Restore } from './decide.ts'
import type { LeftOut, Settings } from './decide-settings.ts'
import { ownersOf } from './facts.ts'
import type { DeletedView, RestorePlanView } from './shapes.ts'

const KINDS = { client: 'cliente', site: 'sitio', database: 'base' } as const

type Viewing = { bin: Pick<BinPort, 'sizes'>; days: number; withinMs: number }

/** Entries of the bin as they are told, in their order. */
export async function deletedView(
  db: Db,
  entries: BinEntry[],
  { bin, days, withinMs }: Viewing,
): Promise<DeletedView[]> {
  const [owners, sizes] = await Promise.all([ownersOf(db, entries), bin.sizes(entries, withinMs)])
  return entries.map((entry) => ({
    ...thingView(entry, owners.get(entry.clientId)),
    borrado: entry.deletedAt.toISOString(),
    caduca: keptUntil(entry, days).toISOString(),
    bytes: sizes.get(entry.id) ?? null,
  }))
}

/** The same for people at a terminal. */
export const deletedLine = ({ id, nombre, borrado }: DeletedView): string =>
  `${id.padEnd(16)} ${borrado}  ${nombre}`

const thingView = (entry: BinEntry, owner: NamedOwner | undefined) => ({
  id: entry.id,
  tipo: KINDS[entry.kind],
  nombre: nameOf(entry),
  cliente: ownerName(entry, owner),
})

/** What restoring would do. */
export const restorePlanView = (
  entry: BinEntry,
  owner: NamedOwner | undefined,
  { to, settings }: { to: Restore; settings: Pick<Settings, 'leftOut'> | null },
): RestorePlanView => ({
  ...thingView(entry, owner),
  sitio: to.kind === 'site' ? to.site.domain : null,
  base: to.kind === 'database' ? to.database.name : null,
  aparte: to.kind === 'apart',
  ajustes: settings !== null,
  omitidos: leftOutView(settings?.leftOut ?? []),
})

const SETTINGS = { php: 'php', alias: 'alias', task: 'tarea', application: 'aplicacion' } as const

const leftOutView = (leftOut: LeftOut[]): RestorePlanView['omitidos'] =>
  leftOut.map(({ what, name, why }) => ({ ajuste: SETTINGS[what], nombre: name, motivo: why }))

/** The result of the work: where it is now, and what was left out. */
export const restoredView = (
  to: { site: string } | { base: string } | { path: string },
  leftOut: LeftOut[] = [],
) => ({
  ...('site' in to ? { sitio: to.site } : 'base' in to ? { base: to.base } : { ruta: to.path }),
  ...leftOutOf(leftOut),
})

/** Nothing where nothing was left out. */
export const leftOutOf = (leftOut: LeftOut[]) =>
  leftOut.length > 0 ? { omitidos: leftOutView(leftOut) } : {}

/** What was left out, for people at a terminal. */
export const restoredLines = (result: { omitidos?: RestorePlanView['omitidos'] } | null): string[] =>
  (result?.omitidos ?? []).map(({ ajuste, nombre, motivo }) => `Left out: ${ajuste} ${nombre} (${motivo})`)

/** Which folder of what was a whole client was which site; nothing where that was not kept. */
export const foldersView = (sites: { folder: string; domain: string }[]) =>
  sites.length === 0 ? {} : { sitios: sites.map(({ folder, domain }) => ({ carpeta: folder, domain })) }

/** The same for people at a terminal. */
export const folderLines = (sites: { folder: string; domain: string }[]): string[] =>
  sites.map(({ folder, domain }) => `  ${folder}: ${domain}`)
