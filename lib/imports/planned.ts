import type { RRset } from '../endpoint/node-port.ts'
import type { Guard } from '../sites/guards.ts'
import type { FoundDatabase, FoundSite, Left } from './archives/contents.ts'
import type { Task } from './archives/tasks.ts'
import type { Excess } from './errors.ts'

export type PlannedDatabase = FoundDatabase & { from: string }
export type PlannedSite = Omit<FoundSite, 'domain' | 'rules' | 'asked'> & { name: string; guards: Guard[] }

/** What an import makes, with what was read of it. */
export type Item =
  | { kind: 'base'; name: string; wanted: Omit<PlannedDatabase, 'name'> }
  | { kind: 'sitio'; name: string; wanted: Omit<PlannedSite, 'name'> & { databases: Record<string, string> } }
  | { kind: 'zona'; name: string; wanted: { rrsets: RRset[] } }
  | { kind: 'programada'; name: string; wanted: Pick<Task, 'pattern' | 'argv'> }
export type Wanted<K extends Item['kind']> = Extract<Item, { kind: K }>['wanted']

export const CHANGES = ['php', 'nombre', 'direcciones', 'orden', 'contrasena_nueva', 'cerrada'] as const
export type Changed = {
  kind: Item['kind']
  name: string
  what: (typeof CHANGES)[number]
  from: string
  to: string
}
export type Plan = {
  items: Item[]
  changed: Changed[]
  left: Left[]
  /** Whether more is left out than `left` tells. */
  isMoreLeft: boolean
  /** What the client would have more of than its plan allows. */
  excess: Excess[]
}
