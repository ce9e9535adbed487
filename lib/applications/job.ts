import { and, eq, inArray, ne } from 'drizzle-orm'
import { applications, databases, schedules } from '../../schema/tables.ts'
import { clientSubject, databasesSync } from '../clients/clients.ts'
import { syncDatabasesJob } from '../databases/job.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { Applications, Installed, NewApplication } from '../endpoint/ports/applications.ts'
import { nextTurn } from '../schedules/decide.ts'
import { webRootOf } from '../sites/decide.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import { rootMessage } from '../text/root-message.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue, type Job } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { RunningJob } from '../work/running.ts'
import { INSTALL_KIND } from './commands.ts'
import {
  type Application,
  type ApplicationFacts,
  addressOf,
  NO_DATABASE,
  placeOf,
  requireSite,
} from './decide.ts'
import { selectApplications } from './facts.ts'
import { MANIFESTS } from './manifests/index.ts'
import { outcomeView } from './view.ts'
import { welcomeMail } from './words.ts'

type Known = ApplicationFacts & { application: Application }

/** Installs an application whole, or leaves nothing of it. What failed is asked for anew by its owner. */
export const installApplicationJob: JobKind = {
  kind: INSTALL_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 1,
  async run(services, job, step) {
    const known = await knownOf(services, job)
    const node = requireApplications(services)
    const place = placeOf(known)
    let made: Installed
    try {
      await step('application.database', () => ensureDatabase(services, known, { step, job }))
      made = await node.install(place, wantedOf(job, known), step)
    } catch (error) {
      await node.undo(place, known.application.installation).catch((reason) => {
        services.log('warn', 'installation not cleared away', { job: job.id, reason: rootMessage(reason) })
      })
      throw error
    }
    const { version, language } = made
    job.answers(outcomeView(known.application, made))
    return async (tx) => {
      tx.later(tx.update(applications).set({ state: 'activa', version, language }).where(isInstalling(job)))
      if (job.payload.scheduled === true) schedule(tx, services, known)
    }
  },
  failed: async (tx, services, job) => takeBack(tx, services, job),
  cancelled: async (tx, services, job) => takeBack(tx, services, job),
}

/** The installation of this work, while it is not ended. */
export const isInstalling = ({ payload }: Job) =>
  and(eq(applications.installation, String(payload.installation)), eq(applications.state, 'instalando'))

export async function knownOf({ db, config }: Services, job: Job): Promise<Known> {
  const found = await selectApplications(db.read, isInstalling(job)).get()
  // One that was taken back, and is tried again by hand.
  if (!found?.application) throw new AppError('aplicacion_no_existe', {}, { status: 409 })
  return { ...requireSite(found, config.node), application: found.application }
}

export function requireApplications(services: Services): Applications {
  const { applications: node } = requireDriver(services)
  if (!node) throw new AppError('aplicacion_no_disponible')
  return node
}

/** Its own work makes the database as a rule; where that waits, it is done here. */
export async function ensureDatabase(
  services: Services,
  known: Known,
  { step, job }: { step: Step; job: RunningJob },
): Promise<void> {
  const open = and(eq(databases.name, known.application.database), ne(databases.state, 'activa'))
  const waiting = await services.db.read.select({ id: databases.id }).from(databases).where(open).get()
  if (!waiting) return
  const subject = clientSubject(known.client)
  const change = await syncDatabasesJob.run(services, { ...job, subject }, step)
  await services.db.write(change)
}

function wantedOf(job: RunningJob, { site, client, application }: Known): NewApplication {
  const about = { title: String(job.payload.title), url: addressOf(site), login: client.name }
  return {
    ...about,
    id: application.installation,
    kind: application.kind,
    email: String(job.payload.email),
    language: application.language,
    database: application.database,
    scheduled: job.payload.scheduled === true,
    mail: welcomeMail(client.language, { ...about, kind: application.kind }),
    signal: job.signal,
  }
}

/** What the application does by the clock, in place of a visitor's request; not for all sites in the same minute. */
function schedule(tx: Tx, { now, random }: Services, { site, client, application }: Known): void {
  const { task } = MANIFESTS[application.kind]
  if (task === null) return
  const [program, ...more] = task
  const pattern = `${site.id % 5}-59/5 * * * *`
  tx.later(
    tx.insert(schedules).values({
      id: `pro_${ulid(now(), random)}`,
      siteId: site.id,
      clientId: client.id,
      pattern,
      argv: [`php${site.php}`, `${webRootOf(site)}/${program}`, ...more],
      active: true,
      ...nextTurn(pattern, now()),
      createdAt: now(),
    }),
  )
}

/** Forgets an installation that will not be ended; its database goes into the bin. */
export function takeBack(tx: Tx, services: Services, job: Job): void {
  const database = String(job.payload.database)
  const own = tx.select({ name: applications.database }).from(applications).where(isInstalling(job))
  tx.later(
    tx.update(databases).set({ state: 'eliminando' }).where(inArray(databases.name, own)),
    tx.delete(applications).where(isInstalling(job)),
  )
  if (database === NO_DATABASE) return
  // It leaves alone what is not on its way out.
  const owner = { id: Number(job.payload.client), name: job.clientName ?? '', node: job.node ?? '' }
  enqueue(tx, services, { ...databasesSync(owner), kind: 'base.eliminar', target: database })
}
