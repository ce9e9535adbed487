import type { importItems } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { ImportArchive, Imports } from '../endpoint/ports/imports.ts'
import type { RunningJob } from '../work/running.ts'

export type Row = typeof importItems.$inferSelect

/** An import while it runs. */
export type Importing = {
  services: Services
  imports: Imports
  job: RunningJob
  step: Step
  client: Client
  archive: ImportArchive
}
