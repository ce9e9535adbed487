import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { X509Certificate } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect } from 'node:tls'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import { exists, readLink } from '../../deploy/node/host/files.ts'
import { certificateFor, startNode, step, type TestNode } from './support.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.client(2)
})
afterAll(() => node[Symbol.asyncDispose]())

/** The certificate that a visitor of a name is shown. */
function shown(servername: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: node.options.httpsPort, servername, rejectUnauthorized: false }
    const socket = connect(target, () => {
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      if (certificate) resolve(certificate)
      else reject(new Error('none was shown'))
    })
    socket.on('error', reject)
  })
}

const namesOf = async (name: string) =>
  (await shown(name)).subjectAltName?.split(', ').map((one) => one.replace('DNS:', ''))

test('each name of a site shows a certificate with just the site’s names; an unknown name shows one that names no site', async () => {
  const told = await node.site(1, 10, 'uno.es', { aliases: ['www.uno.es'] })
  expect(told?.names).toEqual(['uno.es', 'www.uno.es'])
  for (const name of told?.names ?? []) expect(await namesOf(name)).toEqual(['uno.es', 'www.uno.es'])
  expect(new Date((await shown('uno.es')).validTo)).toEqual(told?.expiresAt ?? new Date(0))
  expect(told?.expiresAt.getTime()).toBeGreaterThan(Date.now())
  await node.site(2, 20, 'dos.es')
  expect(await namesOf('dos.es')).toEqual(['dos.es'])
  for (const name of ['nadie.es', 'otro.uno.es']) expect(await namesOf(name)).toEqual(['unknown.invalid'])
})

test('the self-signed certificate follows the aliases under the same key, and stays as it is without a change', async () => {
  const before = await shown('uno.es')
  await node.site(1, 10, 'uno.es', { aliases: ['www.uno.es'] })
  expect((await shown('uno.es')).fingerprint256).toBe(before.fingerprint256)
  await node.site(1, 10, 'uno.es', { aliases: ['nuevo.es'] })
  expect(await namesOf('nuevo.es')).toEqual(['uno.es', 'nuevo.es'])
  expect(await namesOf('www.uno.es')).toEqual(['unknown.invalid'])
  const { publicKey } = await shown('uno.es')
  expect(publicKey.equals(before.publicKey)).toBe(true)
})

test('the self-signed certificate is renewed before it ends, under the same key', async () => {
  let now = Date.now()
  await using late = await startNode({
    now: () => new Date(now),
    selfSigned: (names, keyPem) =>
      selfSigned({ names, addresses: [], years: 10, now: new Date(now), keyPem }),
  })
  await late.client(1)
  const first = await late.site(1, 10, 'dura.es')
  now += 5 * 365 * 86_400_000
  expect(await late.site(1, 10, 'dura.es')).toEqual(first)
  now += 3 * 365 * 86_400_000
  const later = await late.site(1, 10, 'dura.es')
  expect(later?.expiresAt.getTime()).toBeGreaterThan(first?.expiresAt.getTime() ?? Number.NaN)
})

test('no handshake fails while aliases come and go', async () => {
  const outcomes: string[] = []
  let on = true
  const visitors = Array.from({ length: 4 }, async () => {
    while (on) outcomes.push(await shown('uno.es').then(() => 'secure', String))
  })
  for (let at = 0; at < 60; at++) await node.site(1, 10, 'uno.es', { aliases: [`alias${at % 2}.es`] })
  on = false
  await Promise.all(visitors)
  expect(outcomes.length).toBeGreaterThan(20)
  expect(outcomes.filter((outcome) => outcome !== 'secure')).toEqual([])
}, 60_000)

test('the self-signed certificate stays while the site or its client is suspended', async () => {
  await node.site(1, 10, 'uno.es', { suspended: true })
  expect(await namesOf('uno.es')).toEqual(['uno.es'])
  await node.site(1, 10, 'uno.es')
  await node.client(1, { suspended: true })
  expect(await namesOf('uno.es')).toEqual(['uno.es'])
  await node.client(1)
})

test('a certificate of an authority is shown under its names alone, and a change of aliases leaves it', async () => {
  const { certPem, keyPem } = certificateFor('uno.es')
  await node.site(1, 10, 'uno.es', { aliases: ['www.uno.es'] })
  await node.node.installCertificate('uno.es', certPem, keyPem)
  const { fingerprint256 } = await shown('uno.es')
  expect(await namesOf('www.uno.es')).toEqual(['uno.es', 'www.uno.es'])
  await node.site(1, 10, 'uno.es', { aliases: ['blog.uno.es'] })
  expect((await shown('uno.es')).fingerprint256).toBe(fingerprint256)
  expect(await namesOf('blog.uno.es')).toEqual(['uno.es', 'blog.uno.es'])
})

test('a certificate of an authority stays with a name whose way to its site was lost, and ends with the name', async () => {
  const { layout } = node.node
  const { fingerprint256 } = await shown('uno.es')
  await rm(layout.host('uno.es'))
  await node.site(1, 10, 'uno.es')
  expect((await shown('uno.es')).fingerprint256).toBe(fingerprint256)
  await node.site(1, 10, 'blog.uno.es')
  await node.site(1, 10, 'uno.es', { aliases: ['blog.uno.es'] })
  expect((await shown('uno.es')).fingerprint256).not.toBe(fingerprint256)
})

test('the self-signed certificate is removed with its site, and with its client', async () => {
  const { layout } = node.node
  await node.node.removeSite({ siteId: 10, clientId: 1, hosts: ['uno.es'], domain: 'uno.es' }, step)
  expect(await namesOf('uno.es')).toEqual(['unknown.invalid'])
  expect(exists(layout.siteCertificate(10))).toBe(false)
  await node.node.removeClient({ clientId: 2, hosts: ['dos.es'], name: 'c2' }, step)
  expect([exists(layout.siteCertificate(20)), exists(layout.certificate('dos.es'))]).toEqual([false, false])
})

test('a name that another site takes shows the certificate of that site', async () => {
  await node.site(1, 11, 'viaja.es')
  await node.client(2)
  await node.site(2, 21, 'viaja.es', { aliases: ['www.viaja.es'] })
  expect(await namesOf('viaja.es')).toEqual(['viaja.es', 'www.viaja.es'])
  expect(readLink(node.node.layout.certificate('viaja.es'))).toBe('s-21')
})
