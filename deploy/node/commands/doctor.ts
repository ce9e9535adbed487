import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { deadlyState } from '../../../lib/nodes/deadly.ts'
import { isAbsent } from '../../../lib/nodes/decide.ts'
import { heavyCheck } from '../../../lib/nodes/heavy-view.ts'
import { NODE_SETTINGS, selectNodes } from '../../../lib/nodes/nodes.ts'
import { missingKeys } from '../../../lib/secrets/sealed.ts'
import type { Db } from '../../../lib/store/database.ts'
import { counted, wordsIn } from '../../../lib/text/words.ts'
import { selectKnown } from '../../../lib/updates/look.ts'
import { releaseView } from '../../../lib/updates/view.ts'
import { namedHeavy } from '../../../lib/usage/heaviest.ts'
import { PROTECTIONS } from '../../../schema/states.ts'
import { nodes } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { certificateAdvice, panelCertificate } from '../certificates/panel.ts'
import { createWatch } from '../confinement/watch.ts'
import { databasePath, isShared } from '../database/open.ts'
import { copyChecks } from '../doctor/copies.ts'
import { DIFFERENCES, differenceChecks } from '../doctor/differences.ts'
import { LEFTOVERS, leftoverChecks } from '../doctor/leftovers.ts'
import { recoveredChecks } from '../doctor/recovered.ts'
import { unansweredSites } from '../doctor/sampled-sites.ts'
import { baseDirectory, spaceFor } from '../driver.ts'
import { createLayout } from '../files/layout.ts'
import { mailFault } from '../mail/check.ts'
import { createRuntime, nodeConfiguration } from '../runtime.ts'
import { adviceCheck, type Check, checkLine, checkOf, checkView, partsCheck } from '../services/check-view.ts'
import { unpublishable } from '../services/heartbeat.ts'
import { createNotes } from '../services/notes.ts'
import { describeHolder, panelPorts, portHolders } from '../services/ports.ts'
import { endingFrom, servingFrom } from '../services/presence.ts'
import { isAlive } from '../services/process.ts'
import { isReserved, LAST_RESERVED } from '../services/reserved.ts'
import { ownOpenFiles, quoted } from '../settings/secret-files.ts'
import { servicePorts } from '../settings/service-ports.ts'
import { freeBytes } from '../space/database.ts'
import { missingDirectories } from './missing-directories.ts'
import { keysAdvice } from './missing-keys.ts'
import { type Output, startCommand, testAdvice, typed } from './output.ts'
import type { Given } from './words.ts'

const OPEN = 'any program of this machine can take it while its service is down'

const SAMPLE_MS = 1000

const NO_SMTP = 'PANEL_SMTP_URL is not set: mails become files, and mail() of customers fails'
const NOT_RUNNING = 'not running: the panel does not run'

/** States that a node lists among its services, checked here on their own. */
const CHECKED_HERE = ['disco', 'tareas', 'copias', LEFTOVERS, ...NODE_SETTINGS]

/** `panel doctor`: checks every part and says what to do; status 1 for faults, not for advice. */
export async function doctor(given: Given, output: Output): Promise<void> {
  // While the panel does not run, that is what to be told of.
  const { node } = nodeConfiguration(process.env)
  const isThere = isShared(node) || existsSync(databasePath(node))
  const serves = isThere && servingFrom(node.dataDir).length > 0
  const runtime = await createRuntime(process.env, { hands: serves })
  const { services, config } = runtime
  const checks: Check[] = [
    await databaseCheck(),
    await diskCheck(),
    await clockCheck(),
    await certificateCheck(),
    await mailCheck(config),
    ...(await keyCheck()),
    ...openFiles(config),
    ...testChecks(config, services.config.test),
    ...(await siteCheck()),
    ...(serves ? await differenceChecks(services) : []),
    ...(await leftoverChecks(services, config)),
    ...(await versionCheck()),
  ]
  checks.push(
    ...publishingChecks(),
    ...(await serviceChecks()),
    ...(await deadlyCheck(services.db.read, services.config.node)),
    ...(await absentNodes()),
    ...(await copyChecks(services, config)),
    ...(await recoveredChecks(services, config)),
    ...(await heavyChecks(services.db.read, baseDirectory(config, 'web'), {
      now: services.now(),
      node: services.config.node ?? '',
    })),
    listenerCheck(config),
    ...reservedChecks(config),
  )
  runtime.hands?.release()
  await runtime.close()
  output.line(checks.map(checkView), checks.map(checkLine))
  process.exitCode = checks.every(({ bien }) => bien) ? 0 : 1

  async function databaseCheck(): Promise<Check> {
    const rows = await services.db.read.values(sql`pragma quick_check`).catch(() => [['failed']])
    const bien = rows[0]?.[0] === 'ok' || isShared(config)
    return {
      comprobacion: 'base de datos',
      bien,
      consejo: bien ? null : `restore the last backup: ${typed('restore FILE')}`,
    }
  }

  /** This command looks at the disk itself: a panel that a full disk has ended tells nothing. */
  async function diskCheck(): Promise<Check> {
    const { name, running, advice } = await spaceFor(config, baseDirectory(config, 'web')).state()
    const consejo = advice && wordsIn(advice, 'en')
    if (running || isShared(config)) return { comprobacion: name, bien: running, consejo }
    const room = Math.floor((await freeBytes(services.db)) / 1024)
    return {
      comprobacion: name,
      bien: false,
      consejo: `${consejo} The database has ${room} KiB of its own left.`,
    }
  }

  async function clockCheck(): Promise<Check> {
    const rows = await services.db.read.values(sql`select unixepoch('subsec') * 1000`)
    const skewMs = Math.abs(Number(rows[0]?.[0]) - services.now().getTime())
    const bien = skewMs < 5000
    return {
      comprobacion: 'reloj',
      bien,
      consejo: bien ? null : `${Math.round(skewMs / 1000)} s off the database's clock: run NTP`,
    }
  }

  /** What the running panel last reported about its services; they are its children, not this command's. */
  async function serviceChecks(): Promise<Check[]> {
    const { node } = services.config
    const row = await services.db.read
      .select()
      .from(nodes)
      .where(eq(nodes.name, node ?? ''))
      .get()
    const told = row?.services.filter(({ name }) => !CHECKED_HERE.includes(name)) ?? []
    const ending = endingAdvice(config)
    if (ending !== null) return [checkOf('panel', ending)]
    const stopped = servingFrom(config.dataDir).length === 0
    if (stopped || !row || isAbsent(row.seenAt, services.now())) {
      const panel = { comprobacion: 'panel', bien: false, consejo: `it does not run: ${startCommand()}` }
      const left = told.filter(({ name }) => !isProtection(name))
      return [panel, ...(stopped ? left.map(({ name }) => unattended(config, name)) : [])]
    }
    return told.map(({ name, running, version, advice }) => ({
      comprobacion: version ? `${name} ${version}` : name,
      // What the panel found when it compared last is past by now: this command has compared anew.
      bien: running || name === DIFFERENCES,
      consejo: advice && wordsIn(advice, 'en'),
    }))
  }

  /** Other nodes of the same database that are absent, and what waits for them. */
  async function absentNodes(): Promise<Check[]> {
    const rows = await selectNodes(services.db.read)
    return rows
      .filter(({ node }) => node.name !== services.config.node && isAbsent(node.seenAt, services.now()))
      .map(({ node, jobs, mails }) => ({
        comprobacion: `nodo ${node.name}`,
        bien: false,
        consejo: `not heard of since ${node.seenAt.toISOString()}; ${counted(jobs, 'job')} and ${counted(mails, 'mail')} ${jobs + mails === 1 ? 'waits' : 'wait'} for it. Start it again, or give it up: DELETE /api/nodos/${node.name}`,
      }))
  }

  async function certificateCheck(): Promise<Check> {
    const certificate = await panelCertificate(services.config, config, services.now)
    const consejo = certificateAdvice(certificate, services.config.host, config)
    const comprobacion = `certificado ${certificate.path} ${certificate.fingerprint}`
    return { comprobacion, bien: consejo === null, consejo }
  }

  function publishingChecks(): Check[] {
    return unpublishable(services.config).map(({ name, advice }) => ({
      comprobacion: name,
      bien: true,
      consejo: wordsIn(advice, 'en'),
    }))
  }

  async function keyCheck(): Promise<Check[]> {
    const lacking = await missingKeys(services.db.read, services.keys)
    if (lacking.length === 0) return []
    return [{ comprobacion: 'claves', bien: false, consejo: keysAdvice(lacking, config) }]
  }

  async function versionCheck(): Promise<Check[]> {
    const { updatesUrl } = services.config
    const newer = releaseView(await selectKnown(services.db.read, updatesUrl), services.config)
    if (newer === null) return []
    const { version, url } = newer
    const told = `${version} is there: get it and run its deploy/systemd/upgrade.sh${url ? ` (${url})` : ''}`
    return [adviceCheck(`versión ${services.config.version}`, told)]
  }

  async function siteCheck(): Promise<Check[]> {
    const away = await missingDirectories(services, config)
    const unanswered = serves
      ? await unansweredSites(services, config, given.has('--todos'))
      : { faults: [], asked: 0 }
    return [
      ...(away === null ? [] : [{ comprobacion: 'sitios', bien: false, consejo: away }]),
      ...partsCheck('sitios', unanswered),
    ]
  }
}

async function mailCheck({ smtpUrl }: NodeConfig): Promise<Check> {
  const fault = smtpUrl === null ? NO_SMTP : await mailFault(smtpUrl)
  return { comprobacion: 'correo', bien: smtpUrl === null || fault === null, consejo: fault }
}

/**
 * Clients that take more than a fair share of this node right now, measured for a second; works while the panel is
 * down.
 */
export async function heavyChecks(db: Db, base: string, about: { now: Date; node: string }) {
  const look = createWatch(join(base, 'run'))
  if (look() === null) return []
  await Bun.sleep(SAMPLE_MS)
  const heavy = await namedHeavy(db, look() ?? [], about)
  return heavy.map(heavyCheck)
}

/** Protections are reported by a running panel; they are not services themselves. */
const isProtection = (name: string) => PROTECTIONS.some((one) => one === name)

/** A service while no panel runs: a killed panel leaves its services, and so does --dejar-servicios. */
function unattended(config: NodeConfig, name: string): Check {
  const layout = createLayout(baseDirectory(config, 'web'))
  const notes = createNotes({
    runDirectory: layout.run,
    temporaryDirectory: layout.temporary,
  })
  // All versions of PHP have one keeper.
  const main = notes.read(name.startsWith('php') ? 'php' : name)
  const runs = main !== null && isAlive(main)
  const consejo = runs ? 'it runs on; nobody looks after it: the panel does not run' : NOT_RUNNING
  return { comprobacion: name, bien: runs, consejo }
}

/** Checks this even while the panel is down, since such a job may be what ended it. */
async function deadlyCheck(db: Db, node: string | null): Promise<Check[]> {
  const told = node === null ? null : await deadlyState(db, node)
  if (told?.advice == null) return []
  return [{ comprobacion: told.name, bien: false, consejo: wordsIn(told.advice, 'en') }]
}

/** What to do about a panel that answers nobody, since it ends just now; null where none does. */
function endingAdvice({ dataDir }: NodeConfig): string | null {
  const pid = endingFrom(dataDir)
  if (pid === null) return null
  return `it is ending (process ${pid}), which takes some seconds; then ${startCommand()} starts it again`
}

/** An answer on the panel's port may come from another program, so the kernel is asked who listens there. */
function listenerCheck(config: NodeConfig): Check {
  const [holder] = portHolders(panelPorts(config))
  const own = holder?.pid != null && servingFrom(config.dataDir).includes(holder.pid)
  const found =
    holder === undefined
      ? `nobody listens: ${endingAdvice(config) ?? startCommand()}`
      : `${describeHolder(holder).en}, not by this panel`
  return { comprobacion: `puerto ${config.port}`, bien: own, consejo: own ? null : found }
}

/** Settings for tests must not go unnoticed on a panel that serves customers. */
function testChecks({ testClock }: NodeConfig, test: boolean): Check[] {
  const consejo = test ? testAdvice(testClock) : null
  return consejo === null ? [] : [{ comprobacion: 'pruebas', bien: true, consejo }]
}

/** Files that the panel made readable only by itself and that somebody has opened since; its next start closes them. */
function openFiles(config: NodeConfig): Check[] {
  return ownOpenFiles(config).map((path) => ({
    comprobacion: 'permisos',
    bien: false,
    consejo: `${path} holds secrets and others can read it: chmod 600 ${quoted(path)}`,
  }))
}

/** The ports that a customer's program could take while their service is down. */
function reservedChecks(config: NodeConfig): Check[] {
  const ports = [config.port, ...Object.values(servicePorts(config))].filter((port) => !isReserved(port))
  const setting = `net.ipv4.ip_unprivileged_port_start=${LAST_RESERVED + 1}`
  return ports.map((port) => {
    // Without root nothing can be reserved, and ports above the panel's own are not: that is the operator's choice.
    const bien = process.getuid?.() !== 0 || port > LAST_RESERVED
    const mend = bien ? `only root's ports up to ${LAST_RESERVED} are safe from that` : `set ${setting}`
    return { comprobacion: `reserva del puerto ${port}`, bien, consejo: `${OPEN}: ${mend}` }
  })
}
