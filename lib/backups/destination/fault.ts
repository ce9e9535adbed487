import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { backupDestinations, type NodeService, nodes } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { BackupFault } from '../../endpoint/ports/backups.ts'
import type { Db, Tx } from '../../store/database.ts'
import { faultOf, isOfDestination, storedFault, storedFaultText } from '../../text/stored-faults.ts'
import { selectDamaged } from '../damage/damaged.ts'
import { isLate } from '../decide-retention.ts'
import { damaged } from '../errors.ts'

type Whose = Pick<Client, 'name' | 'node'>

/** Does what writes to a node's destination, and notes for its operators what that fails with. */
export async function noting<T>(services: Services, whose: Whose, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    await noteWell(services, whose)
    return done
  } catch (error) {
    await noteFault(services, whose, error)
    throw error
  }
}

/** The fault of a destination that something thrown tells of; null where it is another one. */
export function backupFault(thrown: unknown): BackupFault | null {
  for (let at = thrown; at instanceof Error; at = at.cause) if (at instanceof BackupFault) return at
  return null
}

async function noteFault(services: Services, { name, node }: Whose, error: unknown): Promise<void> {
  const found = backupFault(error)
  const fault = found && storedFault(faultOf(found))
  // What one client's repository has lost is not told of all.
  if (fault === null || !isOfDestination(fault)) return
  await services.db.write(async (tx) => {
    const set = { fault, faultOf: name, faultAt: services.now() }
    await tx.update(backupDestinations).set(set).where(eq(backupDestinations.node, node))
    await showCopies(tx, services, node)
  })
}

/** Where there is no space for one, a smaller one may still have had some. */
const isOver = (name: string) =>
  sql`(${backupDestinations.faultOf} = ${name} or json_extract(${backupDestinations.fault}, '$.codigo') <> 'copias_lleno')`

async function noteWell(services: Services, { name, node }: Whose): Promise<void> {
  const { db } = services
  const over = and(eq(backupDestinations.node, node), isNotNull(backupDestinations.fault), isOver(name))
  const row = await db.read
    .select({ node: backupDestinations.node })
    .from(backupDestinations)
    .where(over)
    .get()
  if (!row) return
  await db.write(async (tx) => {
    await tx.update(backupDestinations).set({ fault: null, faultOf: null, faultAt: null }).where(over)
    await showCopies(tx, services, node)
  })
}

type Noted = Pick<typeof backupDestinations.$inferSelect, 'fault' | 'faultOf' | 'faultAt'>

/** What a destination failed with last; null where it is past: what goes on to fail is noted anew each night. */
export function standingFault<N extends Noted>(noted: N, now: Date) {
  const { fault, faultOf: whose, faultAt: at } = noted
  return fault === null || at === null || isLate(at, now) ? null : { fault, whose: whose ?? '', at }
}

/** A service state that tells what is wrong with a node's copies; null where nothing is. */
export async function copiesState(db: Db, node: string, now: Date): Promise<NodeService | null> {
  const row = await db.select().from(backupDestinations).where(eq(backupDestinations.node, node)).get()
  const standing = row ? standingFault(row, now) : null
  const spoilt = row ? await selectDamaged(db, node) : []
  if (!standing && spoilt.length === 0) return null
  const advice = (language: 'es' | 'en') => [
    ...(standing ? [failing(standing, language)] : []),
    ...(spoilt.length > 0 ? [spoiltClients(spoilt, language)] : []),
  ]
  return {
    ...{ name: COPIES, running: false, version: null },
    advice: { es: advice('es').join(' '), en: advice('en').join(' ') },
  }
}

const COPIES = 'copias'

/** Has a node's row tell of its copies at once what its next beat would. */
export async function showCopies(tx: Tx, { now }: Pick<Services, 'now'>, name: string): Promise<void> {
  const its = eq(nodes.name, name)
  const row = await tx.select({ services: nodes.services }).from(nodes).where(its).get()
  if (!row) return
  const state = await copiesState(tx, name, now())
  const others = row.services.filter((one) => one.name !== COPIES)
  tx.later(
    tx
      .update(nodes)
      .set({ services: [...others, ...(state ? [state] : [])] })
      .where(its),
  )
}

function failing({ fault, whose, at }: Standing, language: 'es' | 'en'): string {
  const since = at.toISOString()
  const not = { es: `No se pudo copiar: ${whose} (${since}).`, en: `Not copied: ${whose} (${since}).` }
  return `${storedFaultText(fault, language)} ${not[language]}`
}

type Standing = NonNullable<ReturnType<typeof standingFault>>

const NAMED = 5

const MENDED = {
  es: 'Cada copia nueva guarda de nuevo lo que falta, si aún está; la lista de copias dice cuáles siguen dañadas, y el registro del panel, qué archivos del destino. Al cabo de una semana se descartan.',
  en: "Each new copy keeps anew what is missing, as far as it is still there; the list of copies tells which stay damaged, and the panel's log which files of the destination. After a week they are dropped.",
}

/** The clients whose copies the destination has lost or spoilt, and what with. */
export function spoiltClients(spoilt: { client: string; fault: string }[], language: 'es' | 'en'): string {
  const each = Map.groupBy(spoilt, ({ fault }) => fault)
  return [...each]
    .map(([fault, found]) => {
      const names = found.slice(0, NAMED).map(({ client }) => client)
      const more = found.length > NAMED ? ', …' : ''
      const advice = fault === damaged() ? ` ${MENDED[language]}` : ''
      return `${names.join(', ')}${more}: ${storedFaultText(fault, language)}${advice}`
    })
    .join(' ')
}
