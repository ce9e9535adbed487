import { eventually } from '../support/wait.ts'
import type { Installed, Site } from './support/installed.ts'
import type { Machine } from './support/machine.ts'

/** What the tests of this folder share: they are one story of one machine, told in order. */
export type World = {
  machine: Machine
  panel: Installed
  /** A client that is there from the installation to the end. */
  site: Site
  until(condition: () => boolean | Promise<boolean>, what: string): Promise<unknown>
}

export const until: World['until'] = (condition, what) => eventually(async () => condition(), what, 20_000)
