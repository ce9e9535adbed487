import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newClient, newCustomer, outcome, ROOMY } from '../api/people.ts'
import { count, plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { dayFromNow, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { quickest } from '../support/quickest.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

const CRON = { authorization: 'Bearer secreto-del-cron' }
let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_CRON_SECRET: 'secreto-del-cron' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterAll(() => panel.stop())

const create = (at: Panel, cliente: string) =>
  at.api('POST', '/clientes', { bearer: token, body: { cliente } })
const intact = () => expect(rows(panel, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])

/** Holds the database's write lock from another process until released. */
async function hold(path: string): Promise<{ release(): Promise<void> }> {
  const child = Bun.spawn(['bun', join(import.meta.dir, 'holder.ts'), path], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const _ of child.stdout) break
  return {
    async release() {
      child.stdin.write('\n')
      child.stdin.end()
      await child.exited
    },
  }
}

describe('while another process holds the write lock', () => {
  test('reads are answered at once, and a write as soon as it can be made', async () => {
    const lock = await hold(join(panel.dataDir, 'panel.db'))
    let written = false
    const write = create(panel, 'espera').then((answer) => {
      written = true
      return answer
    })
    const read = async () => expect((await panel.api('GET', '/clientes', { bearer: token })).status).toBe(200)
    expect(await quickest(read, 20)).toBeLessThan(1000)
    expect(written).toBe(false)
    await lock.release()
    expect((await write).status).toBe(201)
  })

  test('for too long, writes are 503 with Retry-After and nothing of them happens later', async () => {
    const lock = await hold(join(panel.dataDir, 'panel.db'))
    const answers = await Promise.all(['tarde-1', 'tarde-2', 'tarde-3'].map((name) => create(panel, name)))
    for (const answer of answers) {
      expect(outcome(answer)).toEqual([503, 'no_disponible'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|locked|busy/i)
    }
    expect((await panel.api('GET', '/clientes', { bearer: token })).status).toBe(200)
    await lock.release()
    await eventually(async () => (await create(panel, 'despues')).status === 201, 'a write')
    expect(count(panel, "select count(*) from clients where name like 'tarde-%'")).toBe(0)
    intact()
  })
})

describe('two panels over one database', () => {
  let other: Panel
  beforeAll(async () => {
    const port = await freePort()
    const { PANEL_DATA: _, ...env } = panel.env
    const shared = {
      PANEL_DB_URL: `file:${join(panel.dataDir, 'panel.db')}`,
      PANEL_KEY_FILE: join(panel.dataDir, 'keys'),
    }
    other = await Panel.start({ port, env: { ...env, ...shared, PANEL_PORT: String(port) } })
  })
  afterAll(() => other.stop())

  test('a token revoked in one is dead in the other at the next request', async () => {
    for (const [here, there] of [
      [panel, other],
      [other, panel],
    ] as const) {
      const made = await here.api('POST', '/tokens', {
        bearer: admin.bearer,
        body: { nombre: 'breve', caduca: dayFromNow(5) },
      })
      const ask = (at: Panel) => at.api('GET', '/conexion', { bearer: made.body.token })
      expect([(await ask(here)).status, (await ask(there)).status]).toEqual([200, 200])
      await here.api('DELETE', `/tokens/${made.body.id}`, { bearer: token })
      expect(outcome(await ask(there))).toEqual([401, 'token_revocado'])
    }
  })

  test('a session ended in one is over in the other, and so is a link that was spent', async () => {
    const person = await newCustomer(panel, token, 'dos-paneles')
    expect((await other.api('GET', '/yo', { bearer: person.bearer })).status).toBe(200)
    await panel.access('/salir', undefined, { cookie: person.cookie })
    expect(outcome(await other.api('GET', '/yo', { bearer: person.bearer }))).toEqual([
      401,
      'sesion_terminada',
    ])
    const { link } = await panel.mailTo('dos-paneles@cliente.es')
    expect(outcome(await other.access('/enlace', { enlace: link }))).toEqual([410, 'enlace_gastado'])
  })

  test('a link submitted to both at once is won once', async () => {
    await newClient(panel, token, 'carrera-enlace')
    await panel.api('POST', '/clientes/carrera-enlace/acceso', {
      bearer: token,
      body: { correo: 'ce@cliente.es' },
    })
    const { link } = await panel.mailTo('ce@cliente.es')
    const spends = Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? panel : other).access('/enlace/gastar', {
        enlace: link,
        contrasena: `una frase larga y rara ${i}`,
      }),
    )
    const answers = await Promise.all(spends)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(9)
  })

  test('fifty writes at once, half of them here and half there, are all made', async () => {
    const told = panel.log.length
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => create(i % 2 ? panel : other, `cincuenta-${i}`)),
    )
    expect(answers.filter(({ status }) => status !== 201).map(outcome)).toEqual([])
    expect(count(panel, "select count(*) from clients where name like 'cincuenta-%'")).toBe(50)
    expect(panel.log.slice(told) + other.log).not.toMatch(/database is locked|SQLITE_BUSY/)
    intact()
  })

  test('a name that both ask for at once goes to one of them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => create(i % 2 ? panel : other, 'uno-solo')),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })

  test('the same Idempotency-Key at both has one effect', async () => {
    const answers = await Promise.all(
      [panel, other, panel, other].map((at) =>
        at.api('POST', '/planes', {
          bearer: token,
          body: { plan: 'compartido' },
          headers: { 'idempotency-key': 'dos' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })

  test('a scheduled handler asked of both at once runs in one, and mails once', async () => {
    const written = async () => (await panel.mails()).length + (await other.mails()).length
    await newClient(panel, token, 'un-correo')
    const before = await written()
    plant(
      panel,
      "insert into mails (id, kind, recipient, language, payload, state, next_at, created_at) values ('cor_01', 'correo_cambiado', 'uno@cliente.es', 'es', '{}', 'en_cola', 0, 0)",
    )
    const run = (at: Panel) => at.fetch('/cron/correo', { method: 'POST', headers: CRON })
    await Promise.all(Array.from({ length: 10 }, (_, i) => run(i % 2 ? panel : other)))
    await eventually(
      async () => rows(panel, "select 1 from mails where id = 'cor_01' and state = 'enviado'").length === 1,
      'the mail',
    )
    expect(await written()).toBe(before + 1)
    expect(rows(panel, "select attempts from mails where id = 'cor_01'")).toEqual([{ attempts: 1 }])
  })
})

describe('a database', () => {
  test('whose disk is full answers writes 507 and reads on, loses nothing, and goes on when there is room', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'panel-disk-'))
    run('mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder)
    const small = await Panel.start({ env: { ...ROOMY, PANEL_DB_URL: `file:${join(folder, 'panel.db')}` } })
    try {
      const bearer = await newToken(small, await firstAdmin(small))
      const make = (cliente: string) => small.api('POST', '/clientes', { bearer, body: { cliente } })
      expect((await make('antes')).status).toBe(201)
      const filler = join(folder, 'relleno')
      await writeFile(filler, Buffer.alloc(3 * 1024 * 1024)).catch(() => {})
      const made: string[] = []
      let full: Awaited<ReturnType<typeof make>> | null = null
      for (let i = 0; i < 2000 && !full; i++) {
        const answer = await make(`lleno-${i}`)
        if (answer.status === 201) made.push(`lleno-${i}`)
        else full = answer
      }
      expect(full?.body).toMatchObject({ status: 507, codigo: 'sin_espacio', recurso: 'disco' })
      expect(JSON.stringify(full?.body)).not.toMatch(/sqlite|\/tmp/i)
      expect((await small.api('GET', '/conexion', { bearer })).status).toBe(200)
      const health = await small.fetch('/salud')
      expect([health.status, await health.json()]).toEqual([503, { estado: 'con_fallos', caidos: ['disco'] }])
      await rm(filler)
      expect((await make('con-sitio')).status).toBe(201)
      await small.kill()
      await small.up()
      for (const name of ['antes', ...made, 'con-sitio'])
        expect((await small.api('GET', `/clientes/${name}`, { bearer })).status).toBe(200)
      expect((await small.api('GET', `/clientes/lleno-${made.length}`, { bearer })).status).toBe(404)
    } finally {
      await small.stop()
      run('umount', folder)
      await rm(folder, { recursive: true })
    }
  })

  test('that cannot be written to any more answers writes 503, reads on, and writes again when it can', async () => {
    const wal = join(panel.dataDir, 'panel.db-wal')
    await create(panel, 'antes-de')
    // As a file system does that has met an error: every write fails from now on.
    run('chattr', '+i', wal)
    try {
      for (const name of ['durante-1', 'durante-2']) {
        const refused = await create(panel, name)
        expect(outcome(refused)).toEqual([503, 'no_disponible'])
        expect(refused.headers.get('retry-after')).not.toBeNull()
        expect(JSON.stringify(refused.body)).not.toMatch(/sqlite|disk|panel\.db/i)
      }
      expect((await panel.api('GET', '/clientes/antes-de', { bearer: token })).status).toBe(200)
    } finally {
      run('chattr', '-i', wal)
    }
    expect((await create(panel, 'despues-de')).status).toBe(201)
    expect(count(panel, "select count(*) from clients where name like 'durante-%'")).toBe(0)
    intact()
  })

  test('is readable by its owner only', () => {
    for (const name of ['panel.db', 'panel.db-wal', 'keys'])
      expect([name, statSync(join(panel.dataDir, name)).mode & 0o777]).toEqual([name, 0o600])
  })
})

function run(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
}
