import { eq, sql } from 'drizzle-orm'
import { isAbsent, selectNodes } from '../../../lib/nodes.ts'
import { missingKeys } from '../../../lib/sealed.ts'
import { wordsIn } from '../../../lib/words.ts'
import { nodes } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { certificateAdvice, panelCertificate } from '../certificate.ts'
import { isShared } from '../database/open.ts'
import { baseDirectory, servicePorts, spaceFor } from '../driver.ts'
import { createLayout } from '../files/layout.ts'
import { unpublishable } from '../heartbeat.ts'
import { servingFrom } from '../presence.ts'
import { createRuntime } from '../runtime.ts'
import { createNotes } from '../services/notes.ts'
import { describeHolder, panelPorts, portHolders } from '../services/ports.ts'
import { isAlive } from '../services/process.ts'
import { isReserved, LAST_RESERVED } from '../services/reserved.ts'
import { freeBytes } from '../space/database.ts'
import { keysAdvice } from './missing-keys.ts'
import { type Output, startCommand, typed } from './output.ts'

const OPEN = 'any program of this machine can take it while its service is down'

const NOT_RUNNING = 'not running: the panel does not run'

/** What a node tells of beside its services, checked here on their own. */
const SETTINGS = ['correo', 'disco', 'direcciones', 'servidores_dns']

type Check = { comprobacion: string; bien: boolean; consejo: string | null }

/** `panel doctor`: checks every part and says what to do; status 1 when one is wrong. */
export async function doctor(output: Output): Promise<void> {
  const runtime = await createRuntime(process.env)
  const { services, config } = runtime
  const checks: Check[] = [
    await databaseCheck(),
    await diskCheck(),
    await clockCheck(),
    await certificateCheck(),
    mailCheck(),
    ...(await keyCheck()),
  ]
  checks.push(
    ...publishingChecks(),
    ...(await serviceChecks()),
    ...(await absentNodes()),
    listenerCheck(config),
    ...reservedChecks(config),
  )
  await runtime.close()
  output.line(
    checks,
    checks.map(
      ({ comprobacion, bien, consejo }) =>
        `${bien ? 'ok  ' : 'FAIL'} ${comprobacion}${consejo ? `: ${consejo}` : ''}`,
    ),
  )
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

  /** Looked at by this command itself: a panel that a full disk has ended tells nothing. */
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

  /** What the running panel last told of its services; they are its children, not this command's. */
  async function serviceChecks(): Promise<Check[]> {
    const { node } = services.config
    const row = await services.db.read
      .select()
      .from(nodes)
      .where(eq(nodes.name, node ?? ''))
      .get()
    const told = row?.services.filter(({ name }) => !SETTINGS.includes(name)) ?? []
    const stopped = servingFrom(config.dataDir).length === 0
    if (stopped || !row || isAbsent(row.seenAt, services.now())) {
      const panel = { comprobacion: 'panel', bien: false, consejo: `it does not run: ${startCommand()}` }
      return [panel, ...(stopped ? told.map(({ name }) => unattended(config, name)) : [])]
    }
    return told.map(({ name, running, version, advice }) => ({
      comprobacion: version ? `${name} ${version}` : name,
      bien: running,
      consejo: advice && wordsIn(advice, 'en'),
    }))
  }

  /** Other nodes of the same database that are not heard of, and what waits for them. */
  async function absentNodes(): Promise<Check[]> {
    const rows = await selectNodes(services.db.read)
    return rows
      .filter(({ node }) => node.name !== services.config.node && isAbsent(node.seenAt, services.now()))
      .map(({ node, jobs, mails }) => ({
        comprobacion: `nodo ${node.name}`,
        bien: false,
        consejo: `not heard of since ${node.seenAt.toISOString()}; ${jobs} jobs and ${mails} mails wait for it. Start it again, or give it up: DELETE /api/nodos/${node.name}`,
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

  function mailCheck(): Check {
    const bien = services.config.mailConfigured
    return {
      comprobacion: 'correo',
      bien: true,
      consejo: bien ? null : 'PANEL_SMTP_URL is not set: mails become files',
    }
  }
}

/** A service while no panel runs: a killed panel leaves its services, and so does --dejar-servicios. */
function unattended(config: NodeConfig, name: string): Check {
  const layout = createLayout(baseDirectory(config, 'web'))
  const notes = createNotes({
    runDirectory: layout.run,
    temporaryDirectory: layout.temporary,
  })
  const runs = notes.names().some((noted) => {
    const main = noted === name || noted.startsWith(`${name}-`) ? notes.read(noted) : null
    return main !== null && isAlive(main)
  })
  const consejo = runs ? 'it runs on; nobody looks after it: the panel does not run' : NOT_RUNNING
  return { comprobacion: name, bien: runs, consejo }
}

/** That something answers on the panel's port says nothing: the kernel tells who it is. */
function listenerCheck(config: NodeConfig): Check {
  const [holder] = portHolders(panelPorts(config))
  const own = holder?.pid != null && servingFrom(config.dataDir).includes(holder.pid)
  const found =
    holder === undefined ? 'nobody listens: panel start' : `${describeHolder(holder).en}, not by this panel`
  return { comprobacion: `puerto ${config.port}`, bien: own, consejo: own ? null : found }
}

/** The ports that a customer's program could take while their service is down. */
function reservedChecks(config: NodeConfig): Check[] {
  const ports = [config.port, ...Object.values(servicePorts(config))].filter((port) => !isReserved(port))
  const setting = `net.ipv4.ip_unprivileged_port_start=${LAST_RESERVED + 1}`
  return ports.map((port) => {
    // Without root, and above what can be kept from others, that is how it was set up.
    const bien = process.getuid?.() !== 0 || port > LAST_RESERVED
    const mend = bien ? `only root's ports up to ${LAST_RESERVED} are safe from that` : `set ${setting}`
    return { comprobacion: `reserva del puerto ${port}`, bien, consejo: `${OPEN}: ${mend}` }
  })
}
