import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { embeddedClient } from '../../../deploy/database/embedded/database.ts'
import type { Resolver } from '../../../lib/endpoint/context.ts'
import type { RRset } from '../../../lib/endpoint/node-port.ts'
import { mirrorWish } from '../../../lib/mirror/queue.ts'
import type { Step } from '../../../lib/mirror/run.ts'
import type { AccountRow, MirrorRow, Notice } from '../../../lib/mirror/states.ts'
import { runNext, type WorkerDeps } from '../../../lib/mirror/worker.ts'
import { createDatabase, type Database } from '../../../lib/store/database.ts'
import { migrate } from '../../../lib/store/migrate.ts'
import { reversedName } from '../../../lib/text/host-names.ts'
import * as tables from '../../../schema/tables.ts'
import { providerOf, type World } from './world.ts'

/** A panel's database with one client, a clock that tests move, and the mirror's worker over it. */
export type Panel = {
  db: Database
  clock: { ms: number }
  notices: Notice[]
  addZone: (name: string, rrsets?: RRset[]) => Promise<void>
  /** Replaces the records of a zone and asks for a run, as a published change does. */
  setRecords: (name: string, rrsets: RRset[]) => Promise<void>
  addAccount: (world: World) => Promise<void>
  addMirror: (name: string, more?: Partial<MirrorRow>) => Promise<void>
  row: (name: string) => Promise<MirrorRow>
  account: () => Promise<AccountRow>
  setAccount: (set: Partial<AccountRow>) => Promise<void>
  setRow: (name: string, set: Partial<MirrorRow>) => Promise<void>
  deps: (world: World, more?: Partial<WorkerDeps>) => WorkerDeps
  /** Moves to the next free slot and does one run. */
  run: (world: World, more?: Partial<WorkerDeps>) => ReturnType<typeof runNext>
  stop: () => Promise<void>
}

export const NODE = 'nodo1'
export const OURS = '192.0.2.10'
const START_MS = Date.parse('2026-11-21T10:00:00Z')

export async function startPanel(): Promise<Panel> {
  const directory = mkdtempSync(join(tmpdir(), 'mirror-'))
  const client = embeddedClient(join(directory, 'panel.db'))
  await migrate(client, new Date(START_MS), async () => {})
  const db = createDatabase(client)
  const clock = { ms: START_MS }
  const now = () => new Date(clock.ms)
  const notices: Notice[] = []
  await db.write(async (tx) => {
    await tx.insert(tables.clients).values({
      name: 'acme',
      language: 'es',
      state: 'activo',
      node: NODE,
      createdBy: 'persona',
      createdAt: now(),
      updatedAt: now(),
    })
  })
  const panel: Panel = {
    db,
    clock,
    notices,
    addZone: async (name, rrsets = []) => {
      await db.write(async (tx) => {
        const [zone] = await tx
          .insert(tables.zones)
          .values({
            clientId: 1,
            name,
            reversed: reversedName(name),
            node: NODE,
            serial: 2026112101,
            createdAt: now(),
            updatedAt: now(),
          })
          .returning()
        if (zone) await insertSets(tx, zone.id, rrsets)
      })
    },
    setRecords: async (name, rrsets) => {
      await db.write(async (tx) => {
        const [zone] = await tx.select().from(tables.zones).where(eq(tables.zones.name, name))
        if (!zone) throw new Error(name)
        await tx.delete(tables.rrsets).where(eq(tables.rrsets.zoneId, zone.id))
        await tx
          .update(tables.zones)
          .set({ serial: zone.serial + 1 })
          .where(eq(tables.zones.id, zone.id))
        await insertSets(tx, zone.id, rrsets)
        tx.later(mirrorWish(tx, { zoneId: zone.id }, now()))
      })
    },
    addAccount: async (world) => {
      await db.write(async (tx) => {
        await tx.insert(tables.dnsAccounts).values({
          node: NODE,
          kind: world.kind,
          credential: 'sealed',
          account: world.account,
          url: world.proxy.origin,
          epoch: 1,
          nextSlotAt: now(),
          fence: 0,
          checkedAt: now(),
          createdAt: now(),
        })
      })
    },
    addMirror: async (name, more = {}) => {
      await db.write(async (tx) => {
        const [zone] = await tx.select().from(tables.zones).where(eq(tables.zones.name, name))
        await tx.insert(tables.mirrors).values({
          zone: name,
          zoneId: zone?.id ?? null,
          node: NODE,
          clientName: 'acme',
          kind: 'test',
          state: 'en_cola',
          nextAt: now(),
          createdAt: now(),
          updatedAt: now(),
          ...more,
        })
      })
    },
    row: async (name) => {
      const [row] = await db.read.select().from(tables.mirrors).where(eq(tables.mirrors.zone, name))
      if (!row) throw new Error(`no mirror ${name}`)
      return row
    },
    account: async () => {
      const [row] = await db.read.select().from(tables.dnsAccounts).where(eq(tables.dnsAccounts.node, NODE))
      if (!row) throw new Error('no account')
      return row
    },
    setAccount: async (set) => {
      await db.write(async (tx) => {
        await tx.update(tables.dnsAccounts).set(set).where(eq(tables.dnsAccounts.node, NODE))
      })
    },
    setRow: async (name, set) => {
      await db.write(async (tx) => {
        await tx
          .update(tables.mirrors)
          .set(set)
          .where(and(eq(tables.mirrors.zone, name)))
      })
    },
    deps: (world, more = {}) => ({
      db,
      now,
      random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
      resolvers: [] as Resolver[],
      addressesOf: async () => [OURS],
      open: async (_, remainingMs) => providerOf(world, { remainingMs }),
      budgetMs: 60_000,
      tell: async (_, settlement) => {
        notices.push(...settlement.notices)
      },
      step: (_: Step, run) => run(),
      ...more,
    }),
    run: async (world, more = {}) => {
      const { nextSlotAt } = await panel.account()
      clock.ms = Math.max(clock.ms, nextSlotAt.getTime())
      return runNext(panel.deps(world, more))
    },
    stop: async () => {
      db.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return panel
}

type Writer = Parameters<Parameters<Database['write']>[0]>[0]

async function insertSets(tx: Writer, zoneId: number, rrsets: RRset[]): Promise<void> {
  for (let at = 0; at < rrsets.length; at += 500) {
    await tx
      .insert(tables.rrsets)
      .values(rrsets.slice(at, at + 500).map((set) => ({ zoneId, ...set, origin: 'usuario' as const })))
  }
}
