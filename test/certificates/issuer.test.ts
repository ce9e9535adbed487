import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateIssuer, type IssuerOptions } from '../../deploy/node/certificates/issuer.ts'
import { ownCertificateKeeper, readOwnCertificate } from '../../deploy/node/certificates/own.ts'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import type { Step } from '../../lib/endpoint/node-port.ts'
import { CertificateError } from '../../lib/sites/certificates/failure.ts'
import { freePort } from '../support/ports.ts'
import { type Pebble, startNginx, startPebble } from './pebble.ts'

let base: string
let directory: string
let pebble: Pebble
let nginx: Awaited<ReturnType<typeof startNginx>>
let challenges: string
let installed: Map<string, { chainPem: string; keyPem: string }>
const through: Step = (_, run) => run()

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'issuer-'))
  challenges = join(base, 'challenges')
  const port = await freePort()
  nginx = await startNginx(port, base, challenges)
  pebble = await startPebble(port)
})
afterAll(async () => {
  await pebble.stop()
  await nginx.stop()
  await rm(base, { recursive: true })
})
beforeEach(async () => {
  directory = await mkdtemp(join(base, 'state-'))
  installed = new Map()
})

function issuer(change: Partial<IssuerOptions> = {}) {
  return certificateIssuer({
    directoryUrl: pebble.directoryUrl,
    caPem: pebble.caPem,
    contact: null,
    stateDirectory: directory,
    challengeDirectory: challenges,
    resolvesHere: async () => true,
    installCertificate: async (name, chainPem, keyPem) => {
      installed.set(name, { chainPem, keyPem })
    },
    now: () => new Date(),
    pollMinMs: 20,
    ...change,
  })
}

async function failure(promise: Promise<unknown>): Promise<CertificateError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof CertificateError) return error
  throw new Error('it did not fail as a certificate does', { cause: error })
}

test('one certificate with an EC P-256 key covers the domain and its aliases, under each name', async () => {
  const names = ['www.uno.es', 'uno.net']
  const got = await issuer().issue({ siteId: 1, domain: 'uno.es', names }, through)
  expect(got.names.toSorted()).toEqual(['uno.es', 'uno.net', 'www.uno.es'])
  expect(got.issuer).toContain('Pebble')
  expect(got.expiresAt.getTime()).toBeGreaterThan(Date.now())
  expect([...installed.keys()].toSorted()).toEqual(['uno.es', 'uno.net', 'www.uno.es'])
  const { chainPem, keyPem } = installed.get('uno.es') ?? { chainPem: '', keyPem: '' }
  const chain = chainPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  expect(chain.length).toBeGreaterThan(1)
  expect(new X509Certificate(chainPem).publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  await using server = Bun.serve({
    port: 0,
    tls: { cert: chainPem, key: keyPem },
    fetch: () => new Response('ok'),
  })
  const resolve = ['--resolve', `uno.net:${server.port}:127.0.0.1`]
  await Bun.write(join(directory, 'root.pem'), await pebble.rootPem())
  const argv = [
    'curl',
    '-sS',
    ...resolve,
    '--cacert',
    join(directory, 'root.pem'),
    `https://uno.net:${server.port}/`,
  ]
  expect(await new Response(Bun.spawn(argv).stdout).text()).toBe('ok')
})

test('the account key and orders under way are readable by the panel alone, and the account is used again', async () => {
  const modes: number[] = []
  const watch: Step = async (name, run) => {
    await run()
    if (name === 'certificate.install') return
    modes.push((await stat(join(directory, 'orders', 'site-2.json'))).mode & 0o777)
  }
  await issuer().issue({ siteId: 2, domain: 'dos.es', names: [] }, watch)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  expect((await stat(join(directory, 'account.pem'))).mode & 0o777).toBe(0o600)
  const key = await readFile(join(directory, 'account.pem'), 'utf8')
  await issuer().issue({ siteId: 3, domain: 'dos2.es', names: [] }, through)
  expect(await readFile(join(directory, 'account.pem'), 'utf8')).toBe(key)
})

test('two first orders at once share one account', async () => {
  const one = issuer()
  await Promise.all(
    [4, 5].map((siteId) => one.issue({ siteId, domain: `n${siteId}.es`, names: [] }, through)),
  )
  expect((await readdir(directory)).toSorted()).toEqual(['account.pem', 'held', 'orders'])
  expect(installed.size).toBe(2)
})

test('a name that does not resolve here is left out, and none at all asks the authority nothing', async () => {
  const here = issuer({ resolvesHere: async (name) => name !== 'lejos.es' })
  const got = await here.issue({ siteId: 6, domain: 'cerca.es', names: ['lejos.es'] }, through)
  expect(got.names).toEqual(['cerca.es'])
  const nowhere = issuer({ resolvesHere: async () => false, directoryUrl: 'https://127.0.0.1:1/dir' })
  const error = await failure(nowhere.issue({ siteId: 7, domain: 'lejos.es', names: [] }, through))
  expect(error).toMatchObject({ kind: 'no_resuelve' })
  expect(error.message).toContain('lejos.es')
})

test('a name that the authority cannot reach does not keep the others from their certificate', async () => {
  await pebble.setAddress('roto.es', '127.0.0.254')
  const got = await issuer().issue({ siteId: 8, domain: 'sano.es', names: ['roto.es'] }, through)
  expect(got.names).toEqual(['sano.es'])
  expect([...installed.keys()]).toEqual(['sano.es'])
})

test('the authority’s reason reaches the owner, and no challenge file stays behind', async () => {
  await pebble.setAddress('caido.es', '127.0.0.254')
  const error = await failure(issuer().issue({ siteId: 9, domain: 'caido.es', names: [] }, through))
  expect(error).toMatchObject({ kind: 'rechazada', names: ['caido.es'] })
  expect(error.message).toContain('caido.es')
  expect(error.message).toMatch(/refused|fetch/i)
  expect(await readdir(challenges)).toEqual([])
  expect(installed.size).toBe(0)
})

test('an authority that cannot be asked is told apart from one that refuses', async () => {
  const gone = issuer({ directoryUrl: 'https://127.0.0.1:1/dir' })
  expect(await failure(gone.issue({ siteId: 10, domain: 'a.es', names: [] }, through))).toMatchObject({
    kind: 'no_disponible',
    message: 'The certificate authority 127.0.0.1:1 could not be reached.',
  })
  const untrusted = issuer({ caPem: null })
  expect(await failure(untrusted.issue({ siteId: 11, domain: 'a.es', names: [] }, through))).toMatchObject({
    kind: 'no_disponible',
    fault: { codigo: 'acme_tls', autoridad: new URL(pebble.directoryUrl).host },
  })
  const plain = issuer({ directoryUrl: 'http://127.0.0.1:1/dir' })
  await expect(plain.issue({ siteId: 12, domain: 'a.es', names: [] }, through)).rejects.toThrow(TypeError)
})

test('a rate limit carries the authority’s Retry-After, is not slept through, and its text is one plain line', async () => {
  const real: unknown = await (await fetch(pebble.directoryUrl, { tls: { ca: pebble.caPem } })).json()
  const own = await selfSigned({ names: ['localhost'], addresses: ['127.0.0.1'], years: 1 })
  const detail = `too many\r\ncertificates \u001b[31m\u202efor this${' name'.repeat(200)}`
  // The test authority knows no limits, so its directory sends new orders to a server that answers as one does.
  await using limited: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: own.certPem, key: own.keyPem },
    fetch: (request): Response =>
      request.method === 'GET'
        ? Response.json({ ...Object(real), newOrder: `https://127.0.0.1:${limited.port}/order` })
        : Response.json(
            { type: 'urn:ietf:params:acme:error:rateLimited', detail },
            { status: 429, headers: { 'Retry-After': '7200', 'Replay-Nonce': 'x' } },
          ),
  })
  const options = {
    directoryUrl: `https://127.0.0.1:${limited.port}/dir`,
    caPem: `${pebble.caPem}${own.certPem}`,
  }
  const now = new Date('2026-11-21T00:00:00Z')
  const asking = issuer({ ...options, now: () => now }).issue(
    { siteId: 13, domain: 'mucho.es', names: [] },
    through,
  )
  const error = await failure(asking)
  expect(error).toMatchObject({ kind: 'limite', retryAfter: new Date('2026-11-21T02:00:00Z') })
  expect(error.message).toStartWith('Too many certificates were requested from the certificate authority')
  expect(error.message).toContain(' says: “too many certificates [31m for this name name')
  expect(error.message.length).toBeLessThanOrEqual(350)
  // Asked again before that time, by anybody, the authority is not.
  const again = (at: string) => {
    const request = { siteId: 13, domain: 'mucho.es', names: [] }
    return failure(
      issuer({ directoryUrl: 'https://127.0.0.1:1/dir', now: () => new Date(at) }).issue(request, through),
    )
  }
  expect(await again('2026-11-21T01:59:59Z')).toMatchObject({ kind: 'limite', retryAfter: error.retryAfter })
  expect(await again('2026-11-21T02:00:00Z')).toMatchObject({ kind: 'no_disponible' })
})

test('killed before or after any step, the next run ends with one order and a matching pair', async () => {
  const steps: string[] = []
  const record: Step = (name, run) => {
    steps.push(name)
    return run()
  }
  await issuer().issue({ siteId: 20, domain: 'pasos.es', names: [] }, record)
  expect(steps).toEqual([
    'certificate.order',
    'certificate.validate',
    'certificate.download',
    'certificate.install',
  ])
  let siteId = 21
  for (const at of steps) {
    for (const after of [false, true]) {
      installed.clear()
      const kill: Step = async (name, run) => {
        if (name === at && !after) throw new Error('killed')
        await run()
        if (name === at) throw new Error('killed')
      }
      const request = { siteId, domain: `pasos${siteId}.es`, names: [] }
      await expect(issuer().issue(request, kill)).rejects.toThrow('killed')
      const before = await orderUrl(siteId)
      await issuer().issue(request, through)
      const { chainPem, keyPem } = installed.get(request.domain) ?? { chainPem: '', keyPem: '' }
      expect(chainPem).toContain('BEGIN CERTIFICATE')
      const server = Bun.serve({
        port: 0,
        tls: { cert: chainPem, key: keyPem },
        fetch: () => new Response(''),
      })
      await server.stop(true)
      expect(await orderUrl(siteId)).toBeNull()
      // Before anything was ordered, or once it is installed, a new order is right; between them it is not.
      const underWay = !(at === 'certificate.order' && !after) && !(at === 'certificate.install' && after)
      expect(before !== null).toBe(underWay)
      siteId += 1
    }
  }
}, 60_000)

test('a certificate that was issued but not installed is installed without asking again', async () => {
  const stop: Step = async (name, run) => {
    if (name === 'certificate.install') throw new Error('killed')
    await run()
  }
  const request = { siteId: 40, domain: 'guardado.es', names: [] }
  await expect(issuer().issue(request, stop)).rejects.toThrow('killed')
  const names: string[] = []
  const record: Step = (name, run) => {
    names.push(name)
    return run()
  }
  await issuer().issue(request, record)
  expect(names).toEqual(['certificate.install'])
  expect(installed.has('guardado.es')).toBe(true)
})

test('an order that the authority has forgotten is placed anew', async () => {
  const stop: Step = async (name, run) => {
    if (name === 'certificate.validate') throw new Error('killed')
    await run()
  }
  const request = { siteId: 41, domain: 'olvidado.es', names: [] }
  await expect(issuer().issue(request, stop)).rejects.toThrow('killed')
  const path = join(directory, 'orders', 'site-41.json')
  const draft = await readFile(path, 'utf8')
  await Bun.write(path, draft.replace(/(my-order\/)[^"]+/, '$1forgotten'))
  expect((await issuer().issue(request, through)).names).toEqual(['olvidado.es'])
})

test('a certificate that is not due is installed again as it is, until a renewal is asked for', async () => {
  const request = { siteId: 50, domain: 'igual.es', names: ['www.igual.es'] }
  const serial = () => new X509Certificate(installed.get('igual.es')?.chainPem ?? '').serialNumber
  const key = () => installed.get('igual.es')?.keyPem
  const first = await issuer().issue(request, through)
  const before = serial()
  const firstKey = key()
  installed.clear()
  const offline = issuer({ directoryUrl: pebble.directoryUrl, caPem: null })
  expect(await offline.issue(request, through)).toEqual(first)
  expect(serial()).toBe(before)
  await issuer().issue({ ...request, renew: true }, through)
  const renewed = serial()
  expect(renewed).not.toBe(before)
  const renewedKey = key()
  expect(renewedKey).not.toBe(firstKey)
  const late = new Date(
    first.issuedAt.getTime() + ((first.expiresAt.getTime() - first.issuedAt.getTime()) * 3) / 4,
  )
  await issuer({ now: () => late }).issue(request, through)
  const atTwoThirds = serial()
  expect(atTwoThirds).not.toBe(renewed)
  await issuer().issue({ ...request, names: [] }, through)
  expect(serial()).not.toBe(atTwoThirds)
  // By the schedule the key stays.
  expect(key()).toBe(renewedKey)
})

test('a removed site leaves no key behind', async () => {
  const one = issuer()
  await one.issue({ siteId: 51, domain: 'borrado.es', names: [] }, through)
  expect(await readdir(join(directory, 'held'))).toEqual(['site-51.json'])
  await one.forget(51)
  expect(await readdir(join(directory, 'held'))).toEqual([])
  expect(await readdir(join(directory, 'orders'))).toEqual([])
})

test('a full disk ends an order before the authority is asked, and leaves no half file', async () => {
  const small = join(directory, 'small')
  await mkdir(small)
  await run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small)
  try {
    await Bun.write(join(small, 'account.pem'), 'x')
    await mkdir(join(small, 'orders'))
    await writeFile(join(small, 'rest'), Buffer.alloc(60_000)).catch(() => null)
    await writeFile(join(small, 'rest2'), Buffer.alloc(60_000)).catch(() => null)
    const request = { siteId: 60, domain: 'lleno.es', names: [] }
    const full = issuer({ stateDirectory: small, directoryUrl: 'https://127.0.0.1:1/dir' }).issue(
      request,
      through,
    )
    await expect(full).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(join(small, 'orders'))).toEqual([])
  } finally {
    await run('umount', small)
  }
})

test('the panel’s own certificate goes where the panel says', async () => {
  const own: string[] = []
  const got = await issuer().issueOwn('panel.ejemplo.es', async (name) => void own.push(name), through)
  expect(got.names).toEqual(['panel.ejemplo.es'])
  expect(own).toEqual(['panel.ejemplo.es'])
  expect(installed.size).toBe(0)
})

test('the panel’s own certificate is kept with its key in one file, served when new, and never asked for too soon', async () => {
  const path = join(directory, 'own.pem')
  const served: string[] = []
  const refusals: string[] = []
  let now = new Date()
  let here = false
  const keeper = ownCertificateKeeper({
    issuer: issuer({ resolvesHere: async () => here, now: () => now }),
    host: 'panel2.ejemplo.es',
    path,
    now: () => now,
    serve: async (pair) => void served.push(pair.certPem),
    refused: (reason) => void refusals.push(reason),
  })
  await keeper.look()
  await keeper.look()
  expect(refusals).toHaveLength(1)
  expect(await readOwnCertificate(path, 'panel2.ejemplo.es', now)).toBeNull()
  here = true
  now = new Date(now.getTime() + 3_600_000)
  await keeper.look()
  await keeper.look()
  now = new Date(now.getTime() + 2 * 86_400_000)
  await keeper.look()
  expect(served).toHaveLength(1)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await readOwnCertificate(path, 'panel2.ejemplo.es', now))?.certPem.trim()).toBe(
    served[0]?.trim() ?? '',
  )
  expect(await readOwnCertificate(path, 'otro.es', now)).toBeNull()
  expect(await readOwnCertificate(path, 'panel2.ejemplo.es', new Date('2099-01-01'))).toBeNull()
  now = new Date(now.getTime() + 4 * 365 * 86_400_000)
  await keeper.look()
  expect(served).toHaveLength(2)
})

test('challenge files that a killed process left are removed a day later', async () => {
  const old = join(challenges, 'left-behind')
  await Bun.write(old, 'x')
  await utimes(old, new Date(0), new Date(0))
  await issuer().issue({ siteId: 42, domain: 'limpio.es', names: [] }, through)
  expect(await readdir(challenges)).toEqual([])
})

async function run(...argv: string[]): Promise<void> {
  if ((await Bun.spawn(argv).exited) !== 0) throw new Error(`${argv[0]} failed`)
}

async function orderUrl(siteId: number): Promise<string | null> {
  const text = await readFile(join(directory, 'orders', `site-${siteId}.json`), 'utf8').catch(() => null)
  const { orderUrl: url }: { orderUrl?: string } = JSON.parse(text ?? '{}')
  return url ?? null
}
