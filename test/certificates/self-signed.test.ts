import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'

let directory: string
let server: Bun.Server<undefined>
let made: Awaited<ReturnType<typeof selfSigned>>
const longName = `${'a'.repeat(63)}.${'b'.repeat(63)}.ejemplo.es`

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'self-signed-'))
  made = await selfSigned({
    names: ['panel.ejemplo.es', 'localhost'],
    addresses: ['127.0.0.1', '::1'],
    years: 10,
  })
  await Bun.write(join(directory, 'panel.crt'), made.certPem)
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: made.certPem, key: made.keyPem },
    fetch: () => new Response('ok'),
  })
})

afterAll(async () => {
  await server.stop(true)
  await rm(directory, { recursive: true })
})

async function run(...argv: string[]) {
  const child = Bun.spawn(argv, { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, code }
}

test('OpenSSL accepts it as its own trust anchor under its strict rules', async () => {
  const file = join(directory, 'panel.crt')
  const argv = ['openssl', 'verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', file]
  expect(await run(...argv, '-verify_hostname', 'panel.ejemplo.es', file)).toMatchObject({ code: 0 })
  expect(await run(...argv, '-verify_ip', '::1', file)).toMatchObject({ code: 0 })
  expect((await run(...argv, '-verify_hostname', 'otro.es', file)).code).not.toBe(0)
})

test('the fingerprint is the one that OpenSSL prints and the key is the certificate’s', async () => {
  const file = join(directory, 'panel.crt')
  const printed = await run('openssl', 'x509', '-in', file, '-noout', '-fingerprint', '-sha256', '-pubkey')
  expect(printed.stdout).toContain(`=${made.fingerprint}\n`)
  await Bun.write(join(directory, 'key.pem'), made.keyPem)
  const publicKey = await run('openssl', 'pkey', '-in', join(directory, 'key.pem'), '-pubout')
  expect(printed.stdout).toContain(publicKey.stdout)
})

test('installed in a Debian trust store it is trusted by curl, and not without', async () => {
  const [local, etc, hooks] = ['local', 'etc', 'hooks'].map((name) => join(directory, name))
  for (const path of [local, etc, hooks]) await mkdir(path ?? '')
  await Bun.write(join(local ?? '', 'panel.crt'), made.certPem)
  const update = [
    'update-ca-certificates',
    '--localcertsdir',
    local,
    '--etccertsdir',
    etc,
    '--hooksdir',
    hooks,
  ]
  expect(await run(...update.map(String))).toMatchObject({ code: 0 })
  const url = `https://localhost:${server.port}/`
  const bundle = ['--cacert', join(etc ?? '', 'ca-certificates.crt')]
  expect(
    (await run('curl', '-sS', '--resolve', `localhost:${server.port}:127.0.0.1`, ...bundle, url)).stdout,
  ).toBe('ok')
  expect((await run('curl', '-sS', url)).code).toBe(60)
})

test('PHP’s curl accepts it by name and by address with verification on, and refuses another name', async () => {
  const script = `$c = curl_init($argv[1]);
    curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_SSL_VERIFYPEER => true, CURLOPT_SSL_VERIFYHOST => 2,
      CURLOPT_CAINFO => $argv[2], CURLOPT_RESOLVE => ["otro.es:$argv[3]:127.0.0.1", "localhost:$argv[3]:127.0.0.1"]]);
    echo json_encode([curl_exec($c), curl_errno($c)]);`
  const ask = async (host: string): Promise<unknown> => {
    const argv = [`https://${host}:${server.port}/`, join(directory, 'panel.crt'), String(server.port)]
    return JSON.parse((await run('php', '-r', script, '--', ...argv)).stdout)
  }
  expect(await ask('localhost')).toEqual(['ok', 0])
  expect(await ask('127.0.0.1')).toEqual(['ok', 0])
  expect(await ask('otro.es')).toEqual([false, 60])
})

test('a stolen key cannot sign certificates for other names that a server trusting this one accepts', async () => {
  const path = (name: string) => join(directory, name)
  await Bun.write(path('key.pem'), made.keyPem)
  const other = await selfSigned({ names: ['banco.es'], addresses: [], years: 1 })
  await Bun.write(path('banco.key'), other.keyPem)
  await run(
    'openssl',
    'req',
    '-new',
    '-key',
    path('banco.key'),
    '-subj',
    '/CN=banco.es',
    '-out',
    path('banco.csr'),
  )
  const issue = [
    '-CA',
    path('panel.crt'),
    '-CAkey',
    path('key.pem'),
    '-CAcreateserial',
    '-out',
    path('banco.crt'),
  ]
  expect(await run('openssl', 'x509', '-req', '-in', path('banco.csr'), ...issue)).toMatchObject({ code: 0 })
  const verified = await run('openssl', 'verify', '-CAfile', path('panel.crt'), path('banco.crt'))
  expect(verified.code).not.toBe(0)
})

test('a name too long for the common name is still a subject alternative name', async () => {
  const { certPem } = await selfSigned({ names: [longName], addresses: [], years: 10 })
  await Bun.write(join(directory, 'long.crt'), certPem)
  const file = join(directory, 'long.crt')
  const verify = await run('openssl', 'verify', '-CAfile', file, '-verify_hostname', longName, file)
  expect(verify).toMatchObject({ code: 0 })
})

test('a name that is neither a host name nor an address is refused', async () => {
  for (const name of ['a\nb', 'a..b', '', '*', 'x;y', '-a', 'a'.repeat(64)]) {
    await expect(selfSigned({ names: [name], addresses: [], years: 1 })).rejects.toThrow(TypeError)
  }
  await expect(selfSigned({ names: ['a.es'], addresses: ['300.1.1.1'], years: 1 })).rejects.toThrow(TypeError)
  await expect(selfSigned({ names: [], addresses: [], years: 1 })).rejects.toThrow(TypeError)
})
