import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { blaming } from '../../deploy/config.ts'
import { asked } from '../../deploy/node/certificates/authority.ts'
import { problemFault } from '../../deploy/node/certificates/problems.ts'
import { faultLine } from '../../deploy/node/commands/fault.ts'
import { createSupervisor } from '../../deploy/node/services/supervisor.ts'
import { auditZonesJob } from '../../lib/dns/job.ts'
import { sendDueMails } from '../../lib/mail/outbox.ts'
import { settle } from '../../lib/mirror/states.ts'
import { boundedHttp } from '../../lib/providers/http.ts'
import { ProviderFault } from '../../lib/providers/types.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { CertificateError } from '../../lib/sites/certificates/failure.ts'
import { syncSiteJob } from '../../lib/sites/job.ts'
import { FAULTS } from '../../lib/text/faults.ts'
import { faultStored, faultText, storedFault, storedFaultText } from '../../lib/text/stored-faults.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { underLease } from '../../lib/work/leases.ts'
import { jobView } from '../../lib/work/view.ts'
import { Worker } from '../../lib/work/worker.ts'
import { clients, jobs, leases, mails, sites, zones } from '../../schema/tables.ts'
import { addClient, addSite, NOW, testServices, withDriver } from '../usage/store.ts'

const thrownBy = async (run: () => unknown): Promise<Error> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not fail')
}
const emitted = (emitter: { once(event: 'error', told: (error: Error) => void): unknown }) =>
  new Promise<Error>((resolve) => void emitter.once('error', resolve))
const system = (code: string, message: string) => Object.assign(new Error(message), { code })

/** One fault of each kind, as the library or the runtime throws it, and its words that must not be shown. */
const KINDS: [kind: string, make: () => Promise<Error> | Error, words: RegExp][] = [
  ['a refused connection', () => emitted(connect(1, '127.0.0.1')), /ECONN|connect|127\.0/],
  [
    'a name that is not found',
    () => system('ENOTFOUND', 'getaddrinfo ENOTFOUND acme.invalid'),
    /getaddrinfo|ENOTFOUND/,
  ],
  ['a timeout', () => new DOMException('The operation timed out.', 'TimeoutError'), /operation|timed/],
  [
    'an untrusted certificate',
    () => system('DEPTH_ZERO_SELF_SIGNED_CERT', 'self signed certificate'),
    /self.signed|DEPTH/,
  ],
  [
    'a page of HTML with status 500',
    () => new Error('Attempting to read ACME directory returned error 500: <html><h1>Oops</h1>'),
    /html|Oops|Attempting/,
  ],
  ['an answer that is no JSON', () => thrownBy(() => JSON.parse('{"a":')), /JSON|parse|Unexpected/i],
  [
    'a mistake of a library',
    () => new TypeError("undefined is not an object (evaluating 'response.config')"),
    /undefined|evaluating/,
  ],
  [
    'the database',
    () => thrownBy(() => new Sqlite(':memory:').run('select * from secreta')),
    /SQLITE|secreta|table/,
  ],
  [
    'a full disk',
    () => system('ENOSPC', "ENOSPC: no space left on device, write '/srv/x'"),
    /ENOSPC|device|srv/,
  ],
  [
    'a refused permission',
    () => system('EACCES', "EACCES: permission denied, open '/etc/x'"),
    /EACCES|denied|etc/,
  ],
  ['a program that is not there', () => emitted(spawn('/no/such/program')), /ENOENT|spawn|such/],
]
/** Both languages' text, checked to be a sentence of the table and to hold none of the fault's own words. */
function expectOurs(stored: string | null | undefined, error: Error, words: RegExp): void {
  if (!stored) throw new Error('nothing is told')
  const { codigo } = faultStored(stored)
  expect(codigo).not.toBe('anterior')
  for (const language of ['en', 'es'] as const) {
    const text = storedFaultText(stored, language) ?? ''
    expect(text).toStartWith(FAULTS[codigo][language].split('{')[0] ?? '')
    expect(text).not.toContain(error.message)
    expect(text).not.toMatch(words)
    expect(text).not.toMatch(/[{}]/)
  }
}

let base: Awaited<ReturnType<typeof testServices>>
let directory: string
beforeAll(async () => {
  base = await testServices()
  directory = mkdtempSync(join(tmpdir(), 'faults-'))
  const client = await addClient(base.services, { name: 'acme' })
  await addSite(base.services, client, 'uno.es')
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await base.close()
})

describe.each(KINDS)('%s is told in the panel’s own words', (_, make, words) => {
  test('where the certificate authority is asked', async () => {
    const error = await make()
    const failed = await thrownBy(() => asked(() => Promise.reject(error)))
    if (!(failed instanceof CertificateError)) throw failed
    expectOurs(storedFault(failed.fault), error, words)
    expect(failed.cause).toBe(error)
  })

  test('in the row of a job and of its site, while the log has it whole', async () => {
    const error = await make()
    const log: unknown[] = []
    const driver = { syncClient: () => Promise.reject(error) }
    const services = { ...withDriver(base.services, driver), log: (...all: unknown[]) => void log.push(all) }
    await services.db.write(async (tx) => {
      tx.later(tx.delete(jobs), tx.update(sites).set({ state: 'error', error: null }))
      enqueue(tx, services, { kind: 'sitio.aplicar', node: 'nodo1', subject: 'cliente:1', target: 'uno.es' })
    })
    await new Worker(services, { kinds: [syncSiteJob] }).runDue()
    const [job] = await services.db.read.select().from(jobs)
    if (!job) throw new Error('no job')
    expectOurs(job.error, error, words)
    expect(jobView(job, 'es').error).toBe(storedFaultText(job.error, 'es'))
    const [site] = await services.db.read.select().from(sites)
    expect(site?.error).toBe(job.error)
    expect(JSON.stringify(log)).toContain(JSON.stringify(error.message).slice(1, -1).slice(0, 60))
    expect(JSON.stringify(log)).toContain(job.id)
  })

  test('where a DNS provider is called', async () => {
    const error = await make()
    const deps = {
      fetch: () => Promise.reject(error),
      credential: new Secret('x'),
      account: null,
      url: null,
      allowPrivate: true,
      resolve: null,
      remainingMs: () => 60_000,
      wait: async () => {},
    }
    const http = boundedHttp(deps, 'https://dns.example', () => ({}))
    const fault = await thrownBy(() => http({ operation: 'zones', method: 'GET', path: '/' }))
    if (!(fault instanceof ProviderFault)) throw fault
    // What this part of the state machine reads of the row.
    const row = { state: 'en_cola', attempts: 0, zone: 'uno.es' } as Parameters<typeof settle>[0]
    const account = { failures: 0 } as Parameters<typeof settle>[1]
    const { mirror } = settle(row, account, { kind: 'fault', fault }, NOW)
    expectOurs(mirror.error, error, words)
  })

  test('in the advice about a service', async () => {
    const error = await make()
    const told: string[] = []
    const supervisor = createSupervisor({
      runDirectory: directory,
      temporaryDirectory: directory,
      // It fails before it needs anything else.
      launcher: {
        restarted: () => Promise.reject(error),
        beforeStop: async () => {},
        launch: () => Promise.reject(error),
      },
      lend: (run) => run(),
      report: ({ message }) => void told.push(message),
      watchMs: 3_600_000,
    })
    const definition = { argv: ['/usr/bin/env', directory], files: [], ready: async () => false }
    await thrownBy(() => supervisor.start('prueba', definition))
    const [state] = await supervisor.states()
    await supervisor.stopAll()
    for (const text of [state?.advice?.en, state?.advice?.es]) {
      expect(text).not.toMatch(words)
      expect(text).toMatch(/\.$/)
    }
    expect(state?.advice?.en).not.toBe(state?.advice?.es)
    expect(told).toContain(error.message)
  })

  test('of a mail that was not sent and of a scheduled run that failed', async () => {
    const error = await make()
    const mailer = { send: () => Promise.reject(error), relay: null }
    const config = { ...base.services.config, origin: 'https://panel.example', host: 'panel.example' }
    const services = { ...base.services, config, mailer }
    const mail = { id: 'mail_1', kind: 'espejo_retirado', recipient: 'a@b.es', language: 'es' as const }
    await services.db.write(async (tx) => {
      const state = { state: 'en_cola' as const, payload: {}, nextAt: NOW, createdAt: NOW }
      tx.later(tx.delete(mails), tx.insert(mails).values({ ...mail, ...state }))
    })
    await sendDueMails(services)
    expectOurs((await services.db.read.select().from(mails).get())?.error, error, words)
    await thrownBy(() => underLease(services, 'cron:x', 1000, () => Promise.reject(error)))
    const lease = await services.db.read.select().from(leases).where(eq(leases.name, 'cron:x')).get()
    expectOurs(lease?.lastError, error, words)
  })
})

// A plain Error without a code is how the panel itself speaks to who typed a command.
const FOREIGN = KINDS.filter(([kind]) => !kind.startsWith('a page of HTML'))
test.each(FOREIGN)(
  '%s is told in the panel’s words by a command and by what depends on a setting',
  async (_, make, words) => {
    const error = await make()
    const ours = Object.entries(FAULTS).filter(([code]) => code.startsWith('orden_'))
    const starts = ours.map(([, { en }]) => en.split('{')[0] ?? '')
    const failed = await thrownBy(() => blaming('X', () => Promise.reject(error)))
    for (const line of [faultLine('backup', error).replace(/^.*? backup: /, ''), failed.message.slice(3)]) {
      expect(starts.some((start) => line.startsWith(start))).toBe(true)
      expect(line).not.toContain(error.message)
      // The path and the code of a fault are told; the sentence around them is not.
      expect(line.replace(/\(.*?\)/g, '')).not.toMatch(words)
    }
  },
)

test('a zone that the daily audit could not repair says so in the panel’s words, and the log has the cause', async () => {
  const error = new TypeError("undefined is not an object (evaluating 'a.b')")
  const log: unknown[] = []
  const report = { compared: 1, repaired: [], removed: [], foreign: [], failed: [{ zone: 'uno.es', error }] }
  const driver = withDriver(base.services, { auditZones: async () => report })
  const services = { ...driver, log: (...all: unknown[]) => void log.push(all) }
  const [{ id: clientId } = { id: 0 }] = await services.db.read.select().from(clients)
  await services.db.write(async (tx) => {
    const zone = {
      name: 'uno.es',
      reversed: 'se.onu',
      clientId,
      node: 'nodo1',
      serial: 1,
      state: 'activa' as const,
    }
    const times = { createdAt: NOW, updatedAt: NOW }
    tx.later(tx.delete(jobs), tx.insert(zones).values({ ...zone, ...times }))
    enqueue(tx, services, { kind: 'zonas.auditar', node: 'nodo1', subject: 'nodo:nodo1', target: 'nodo1' })
  })
  await new Worker(services, { kinds: [auditZonesJob] }).runDue()
  const row = await services.db.read.select().from(zones).get()
  expectOurs(row?.error, error, /undefined|evaluating/)
  expect(storedFaultText(row?.error ?? null, 'es')).toEndWith('bajo uno.es.')
  expect(JSON.stringify(log)).toContain('undefined is not an object')
})

test('each type of problem at the authority has a sentence of its own, with the names and the authority’s text', () => {
  const problem = (type: string, detail: string | null = null) =>
    faultText(problemFault({ type: `urn:ietf:params:acme:error:${type}`, detail }, ['uno.es']), 'en')
  const types = ['caa', 'connection', 'dns', 'rateLimited', 'rejectedIdentifier', 'unauthorized', 'otherwise']
  expect(new Set(types.map((type) => problem(type))).size).toBe(types.length)
  expect(problem('dns', 'NXDOMAIN\u001b[2J\r\nlooking up A\u202e')).toBe(
    'The certificate authority could not look up uno.es in the DNS. Check its records. The authority says: “NXDOMAIN [2J looking up A”.',
  )
  expect(problem('caa', 'x'.repeat(10_000)).length).toBeLessThan(400)
})

test('a fault that an earlier version stored, or somebody planted, is shown as the general sentence', () => {
  const texts = [
    'dns.publish: connect ECONNREFUSED',
    '{"codigo":"x"}',
    '{"codigo":"constructor"}',
    '{',
    'null',
  ]
  for (const stored of [...texts, '{"codigo":"tls","id":7}']) {
    expect(storedFaultText(stored, 'en')).toBe("This did not work; the panel's log says why.")
    expect(storedFaultText(stored, 'es')).toBe('No ha funcionado; el registro del panel dice por qué.')
  }
  expect(storedFaultText(null, 'en')).toBeNull()
})
