import { describe, expect, test } from 'bun:test'
import type { Resolver } from '../../lib/endpoint/context.ts'
import { isPublicAddress, isPublicHost, providerOrigin } from '../../lib/providers/address.ts'
import { powerdns } from '../../lib/providers/powerdns.ts'
import type { ProviderDeps } from '../../lib/providers/types.ts'
import { lookUpBy } from '../../lib/resolver/addresses.ts'
import { Secret } from '../../lib/secrets/secret.ts'

describe('the origin of a provider', () => {
  test.each([
    'http://dns.example.net',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://10.0.0.1',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://224.0.0.1',
    'https://[::1]',
    'https://[::]',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://localhost',
    'https://localhost.',
    'https://panel.localhost',
    'https://router',
    'https://nas.local',
    'https://db.internal',
    'https://user:pass@dns.example.net',
    'https://dns.example.net/api',
    'https://dns.example.net?x=1',
    'https://dns.example.net/#x',
    'ftp://dns.example.net',
    'javascript:alert(1)',
    'dns.example.net',
    '',
  ])('refuses %s', (url) => {
    expect(() => providerOrigin(url, false)).toThrow('not allowed')
  })

  test.each([
    ['https://dns.example.net', 'https://dns.example.net'],
    ['https://DNS.example.net:8443/', 'https://dns.example.net:8443'],
    ['https://9.9.9.9', 'https://9.9.9.9'],
    ['https://[2620:fe::fe]', 'https://[2620:fe::fe]'],
  ])('takes %s', (url, origin) => {
    expect(providerOrigin(url, false)).toBe(origin)
  })

  test('may be on loopback in the test setting only', () => {
    expect(providerOrigin('http://127.0.0.1:8081', true)).toBe('http://127.0.0.1:8081')
  })

  test('addresses and names are told apart', () => {
    expect([
      isPublicAddress('203.0.114.1'),
      isPublicAddress('203.0.113.1'),
      isPublicAddress('nonsense'),
    ]).toEqual([true, false, false])
    expect([isPublicHost('dns.example.net'), isPublicHost('single')]).toEqual([true, false])
  })
})

const unknowing: Resolver = { label: 'none', query: async () => ({ kind: 'nxdomain', ttlSeconds: 60 }) }

describe('a call to a provider', () => {
  const deps = (more: Partial<ProviderDeps>): ProviderDeps => ({
    fetch: async () => new Response('{"type":"Server"}'),
    credential: new Secret('key'),
    account: null,
    url: 'https://dns.example.net',
    allowPrivate: false,
    resolve: async () => ['9.9.9.9'],
    remainingMs: () => 10_000,
    wait: async () => {},
    ...more,
  })

  test('is not made once the name has been bound to a private address', async () => {
    let asked = 0
    const fetch = async () => {
      asked++
      return new Response('{"type":"Server"}')
    }
    const answers = [['9.9.9.9'], ['127.0.0.1'], ['9.9.9.9', '10.0.0.1'], ['::ffff:10.0.0.1']]
    const provider = powerdns.create(deps({ fetch, resolve: async () => answers.shift() ?? [] }))
    await provider.verify()
    for (let at = 0; at < 3; at++) await expect(provider.verify()).rejects.toMatchObject({ kind: 'address' })
    expect(asked).toBe(1)
  })

  test('is not made to a name that no resolver knows, which this machine’s own list may lead anywhere', async () => {
    let asked = 0
    const fetch = async () => {
      asked++
      return new Response('{"type":"Server"}')
    }
    const provider = powerdns.create(deps({ fetch, resolve: lookUpBy([unknowing]) }))
    await expect(provider.verify()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(asked).toBe(0)
    await powerdns.create(deps({ fetch, resolve: lookUpBy([]) })).verify()
    expect(asked).toBe(1)
  })

  test('follows no redirect', async () => {
    const seen: RequestInit[] = []
    const fetch = async (_: string, init: RequestInit) => {
      seen.push(init)
      return new Response(null, { status: 301, headers: { location: 'http://127.0.0.1/' } })
    }
    await expect(powerdns.create(deps({ fetch })).verify()).rejects.toMatchObject({ kind: 'protocol' })
    expect(seen.map(({ redirect }) => redirect)).toEqual(['manual'])
  })

  test('does not begin when the time is used up', async () => {
    const fetch = async () => {
      throw new Error('asked')
    }
    const provider = powerdns.create(deps({ fetch, remainingMs: () => 900 }))
    await expect(provider.verify()).rejects.toMatchObject({ kind: 'deadline' })
  })

  test('keeps the credential out of every textual form', async () => {
    const provider = powerdns.create(deps({ credential: new Secret('canary-4711') }))
    expect(Bun.inspect(provider) + JSON.stringify(provider)).not.toContain('canary-4711')
    const fault = await powerdns
      .create(
        deps({
          credential: new Secret('canary-4711'),
          fetch: async () => new Response('canary-4711', { status: 401 }),
        }),
      )
      .verify()
      .catch((error: unknown) => error)
    expect(Bun.inspect(fault) + JSON.stringify(fault)).not.toContain('canary-4711')
  })
})
