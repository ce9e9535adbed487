import type { COPIES_BEFORE, RESTORED_PARTS } from '../../schema/states.ts'
import type { CopyPart, copies } from '../../schema/tables.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import { type Plan, requireFunction } from '../plans/decide.ts'

export const COPY_KIND = 'copia.hacer'

export type CopyBefore = (typeof COPIES_BEFORE)[number] | 'ninguna'
export type Copy = typeof copies.$inferSelect

/** What a new copy or a restore depends on. */
export type CopyFacts = {
  client: Client
  plan: Plan | null
  /** Whether its node has a destination. */
  destination: unknown
  copy: Copy | null
  /** Whether a copy of it is being made, or is about to be. */
  waiting: number
  /** The same of restores. */
  restoring: number
}

/** Whether copies of this client can be made or used from `here`, null being a host without a node. */
export function decideCopies<F extends Omit<CopyFacts, 'copy'>>(
  facts: F | undefined,
  here: string | null,
): F {
  const client = requireChangeable(facts?.client, here)
  // What reads and writes its files is a program of its own.
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  const known = facts as F // There is a client.
  requireFunction(known.plan, 'copias')
  if (!known.destination) throw new AppError('destino_no_existe', {}, { status: 409 })
  return known
}

/** Whether a client is copied unasked, by night and before what removes things: as `decideCopies`, without refusing. */
export const isCopied = (
  { client, plan, destination }: Pick<CopyFacts, 'client' | 'plan' | 'destination'>,
  here: string | null,
) =>
  client.state === 'activo' &&
  client.node === here &&
  Boolean(destination) &&
  (plan === null || plan.functions === null || plan.functions.includes('copias'))

/** How many removals of a client are copied first in 24 hours where a customer asks for them. */
const BEFORE_A_DAY = 20

/** What decides whether a removal is copied first; `removed` counts those of the last 24 hours that were. */
export type RemovalFacts = Omit<CopyFacts, 'copy'> & { removed: number }

/**
 * Whether what goes is copied first: asked for, not at all, or not any more today. Who makes and deletes sites all day
 * must neither keep the node copying nor fill the destination; operators and their programs are not bounded.
 */
export function decideCopyBefore(
  facts: RemovalFacts | undefined,
  { here, actor }: { here: string | null; actor: Actor },
): CopyBefore {
  if (!facts || !isCopied(facts, here)) return 'ninguna'
  return isCustomer(actor) && facts.removed >= BEFORE_A_DAY ? 'limite' : 'pedida'
}

/** 409 `ya_en_curso` while another copy is being made. */
export function requireIdle(waiting: number): void {
  if (waiting > 0) throw new AppError('ya_en_curso')
}

/** The copy that the path names. */
export function requireCopy(copy: Copy | null | undefined): Copy {
  if (!copy || copy.state === 'en_curso') throw new AppError('copia_no_existe')
  return copy
}

/** A part of a copy with content; 409 where the copy has none of that name. */
export function requirePart(
  copy: Copy,
  kind: CopyPart['kind'],
  name: string,
): CopyPart & { snapshot: string } {
  const found = copy.parts.find((part) => part.kind === kind && part.name === name)
  if (!found || found.snapshot === null) {
    throw new AppError(kind === 'base' ? 'base_no_existe' : 'sitio_no_existe', {}, { status: 409 })
  }
  return { ...found, snapshot: found.snapshot }
}

/** 409 `copia_danada` for a part that its destination is known to have lost or changed something of. */
function requireSound<P extends CopyPart>(part: P): P {
  if (part.damaged) throw new AppError('copia_danada')
  return part
}

export type Restore = {
  site: string | null
  path: string
  base: string | null
  mode: 'aparte' | 'sustituir'
  /** Of a site: its files, its settings, or both. */
  part: RestoredPart
}
export type RestoredPart = (typeof RESTORED_PARTS)[number]
type AskedRestore = Omit<Restore, 'path' | 'part'> & { path: string | null; part: RestoredPart | null }
type Base = { id: number; clientId: number; loading: boolean }

/** What a request restores: files of a site, or a base, beside which a site is only where its dump goes. */
export function decideRestore(
  copy: Copy,
  asked: AskedRestore,
  known: { base: Base | undefined; client: Pick<Client, 'id'>; language: 'es' | 'en' },
): { wanted: Restore; database: Base | null } {
  const { site, base, mode } = asked
  const refuse = (field: string, code: string) => invalidField(field, code, known.language)
  if (base !== null && asked.path !== null) throw refuse('ruta', 'valor_no_admitido')
  const needsSite = base === null || mode === 'aparte'
  if (needsSite && site === null) throw refuse('sitio', 'obligatorio')
  if (!needsSite && site !== null) throw refuse('sitio', 'valor_no_admitido')
  const path = asked.path ?? '/'
  const isWhole = base === null && mode === 'sustituir' && path === '/'
  if (!isWhole && asked.part !== null && asked.part !== 'archivos') throw refuse('parte', 'valor_no_admitido')
  const wanted: Restore = { ...asked, path, part: asked.part ?? (isWhole ? 'todo' : 'archivos') }
  if (base === null) {
    const settings = copy.parts.find(({ kind }) => kind === 'ajustes')
    if (wanted.part === 'ajustes') requireSound(requirePart(copy, 'ajustes', 'ajustes'))
    else requireSound(requirePart(copy, 'sitio', site ?? ''))
    if (wanted.part === 'todo' && settings) requireSound(settings)
    return { wanted, database: null }
  }
  requireSound(requirePart(copy, 'base', base))
  if (mode === 'aparte') return { wanted, database: null }
  if (known.base?.clientId !== known.client.id) throw new AppError('base_no_existe', {}, { status: 409 })
  if (known.base.loading) throw new AppError('ya_en_curso')
  return { wanted, database: known.base }
}

/** The part that an archive is asked of: files of a site, or a base. */
export function decideArchive(
  copy: Copy,
  asked: { site: string | null; path: string | null; base: string | null },
  language: 'es' | 'en',
): { snapshot: string; files: { index: string; path: string } | null } {
  const { site, path, base } = asked
  const refuse = (field: string, code: string) => invalidField(field, code, language)
  if (base === null) {
    if (site === null) throw refuse('sitio', 'obligatorio')
    const { snapshot, index } = requireSound(requirePart(copy, 'sitio', site))
    return { snapshot, files: { index: index ?? '', path: path ?? '/' } }
  }
  if (site !== null) throw refuse('sitio', 'valor_no_admitido')
  if (path !== null) throw refuse('ruta', 'valor_no_admitido')
  return { snapshot: requireSound(requirePart(copy, 'base', base)).snapshot, files: null }
}

/**
 * How many copies and restores a customer may ask for in 24 hours; what operators and their programs ask for counts for
 * nobody.
 */
export const ASKED_A_DAY = 20

type Asking = { actor: Actor; underWay: number; waitSeconds: number }

/** Keeps customers from having a node copy and restore all day. */
export function requireTurn({ actor, underWay, waitSeconds }: Asking): void {
  if (!isCustomer(actor)) return
  if (underWay > 0) throw new AppError('ya_en_curso')
  if (waitSeconds > 0) throw new AppError('espera', { retryAfterSeconds: waitSeconds })
}

/** The state of a copy that has ended. */
export const stateOf = (parts: CopyPart[]) =>
  parts.length > 0 && parts.every(({ fault }) => fault === null)
    ? ('completa' as const)
    : ('incompleta' as const)

/** Whether a copy has all that a restore replaces. */
export const undoesAll = ({ parts }: Pick<Copy, 'parts'>): boolean =>
  parts.length > 0 && parts.every(({ fault, undoes }) => fault === null || undoes === true)

export type PartOfCopy = { copy: Copy; part: CopyPart }

/**
 * What to bring a client's sites and databases back from: of each the latest copy that lacks nothing of it, else the
 * latest that has anything. One file that could not be read must not bring all the rest back from an older night.
 */
export function latestParts(copies: Copy[]): PartOfCopy[] {
  const latestFirst = copies
    .filter(({ whole }) => whole)
    .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
  const all = latestFirst.flatMap((copy) =>
    copy.parts.flatMap((part) => (part.kind === 'ajustes' || part.snapshot === null ? [] : [{ copy, part }])),
  )
  const chosen = new Map<string, PartOfCopy>()
  for (const one of all.toSorted((a, b) => lackOf(a) - lackOf(b))) {
    const key = `${one.part.kind} ${one.part.name}`
    if (!chosen.has(key)) chosen.set(key, one)
  }
  return [...chosen.values()]
}

/** What does not read back at all comes after what only lacks something. */
const lackOf = ({ part }: PartOfCopy) => (part.damaged ? 2 : Number(part.fault !== null))

const TURNS = 60
const MINUTES = 5

/** Which of the night's turns it is, of five minutes each from midnight on (UTC); null by day. */
export function turnAt(now: Date): { turn: number; of: number } | null {
  const turn = Math.floor((now.getUTCHours() * 60 + now.getUTCMinutes()) / MINUTES)
  return turn < TURNS ? { turn, of: TURNS } : null
}
