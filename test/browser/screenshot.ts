import { resolve } from 'node:path'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'

/** `bun run screenshot`: takes the README's picture from a panel of its own, whose clients it makes up. */
const PICTURE = resolve(import.meta.dir, '../../docs/panel.png')
const GIB = 1024 ** 3
const DAYS = 30

const PLAN = {
  ...{ plan: 'Business', disco_bytes: 20 * GIB, inodos: 400_000, trafico_bytes: 250 * GIB },
  ...{ sitios: 5, aliases: 10, zonas: 5, cpu_porcentaje: 200, memoria_bytes: 2 * GIB, procesos: 120 },
  ...{ cuentas_sftp: 10, bases: 5, bases_bytes: 2 * GIB, programadas: 10, correos_dia: 500 },
}
const CLIENTS = [
  { cliente: 'luna', nombre: 'Luna Bakery', domain: 'luna-bakery.example', aliases: ['luna-shop.example'] },
  { cliente: 'ortega', nombre: 'Ortega & Sons', domain: 'ortega.example', aliases: [] },
  { cliente: 'atelier', nombre: 'Atelier Norte', domain: 'atelier-norte.example', aliases: [] },
]

const [panel, browser] = await Promise.all([
  Panel.start({ env: { PANEL_NODE: 'madrid-1', PANEL_NS: 'ns1.hosting.example,ns2.hosting.example' } }),
  startBrowser(),
])
try {
  const admin = await firstAdmin(panel, 'admin@hosting.example')
  const bearer = await newToken(panel, admin, 'billing')
  await panel.api('POST', '/planes', { bearer, body: PLAN })
  for (const client of CLIENTS) await provision(bearer, client)
  await panel.api('POST', '/sitios', {
    bearer,
    body: { cliente: 'luna', domain: 'orders.luna-bakery.example', aliases: [] },
  })
  await quiet(bearer)
  measure('luna')
  const visit = { as: admin, locale: 'en-GB', width: 1280, height: 732 } as const
  const visitor = await Visitor.come(browser, panel, visit)
  await visitor.go('/panel/clientes/luna/resumen')
  await visitor.page.screenshot({ path: PICTURE })
} finally {
  await browser.close()
  await panel.stop()
}

async function provision(
  bearer: string,
  { cliente, nombre, ...site }: (typeof CLIENTS)[number],
): Promise<void> {
  const body = { cliente, nombre, correo: `hello@${site.domain}`, plan: PLAN.plan, ...site }
  const { status, body: answer } = await panel.api('PUT', `/altas/ref:${cliente}`, { bearer, body })
  if (status !== 201) throw new Error(`${cliente}: ${JSON.stringify(answer)}`)
}

/** Waits until no job is left that would measure or change what is planted. */
async function quiet(bearer: string): Promise<void> {
  await eventually(async () => {
    const { body } = await panel.api('GET', '/tareas?estado=pendiente', { bearer })
    return body.datos.length === 0
  }, 'no pending job')
}

/** A month of use, as the measurements would have written it. */
function measure(client: string): void {
  const lately = { since: Date.now() - 900_000, cpuPercent: 34.2, memory: 0, processes: 0, cpuSeconds: 0 }
  const counters = { cpuMicros: 0, memory: 0, processes: 0, throttledMicros: 0 }
  const groups = JSON.stringify({ memoryBytes: 700 * 1024 ** 2, processes: 26, lately, counters })
  plant(
    panel,
    `insert or replace into usage (client_id, measured_at, source, disk_bytes, inodes, warned, groups)
     select id, ?, 'cuota', ?, ?, '{}', ? from clients where name = ?`,
    ...[Date.now() - 240_000, Math.round(12.4 * GIB), 148_210, groups, client],
  )
  for (let ago = 0; ago < DAYS; ago += 1) {
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const busy = 1 + 0.35 * Math.sin(ago / 1.1) + 0.2 * Math.cos(ago * 2.3)
    plant(
      panel,
      `insert or replace into usage_days (client_id, day, traffic_in, traffic_out, disk_bytes, inodes)
       select id, ?, ?, ?, ?, ? from clients where name = ?`,
      ...[day, Math.round(0.4 * GIB * busy), Math.round(4.6 * GIB * busy)],
      ...[Math.round((12.4 - ago * 0.06) * GIB), 148_210 - ago * 900, client],
    )
  }
}
