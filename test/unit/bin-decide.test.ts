import { expect, test } from 'bun:test'
import type { Actor } from '../../lib/endpoint/context.ts'
import type { BinEntry } from '../../lib/endpoint/ports/bin.ts'
import { decidePage, isVisible, ownerName, placeOf } from '../../lib/trash/decide.ts'

const AT = new Date('2026-11-20T10:00:00Z')
const before = new Date(AT.getTime() - 1000)
const after = new Date(AT.getTime() + 1000)
const owner = { id: 4, name: 'acme', createdAt: before }
const site = (more: object = {}): BinEntry => ({
  ...{ id: 'sitio-9', kind: 'site', clientId: 4, siteId: 9, domain: 'acme.es', deletedAt: AT },
  ...more,
})
const whole: BinEntry = { id: 'cliente-4', kind: 'client', clientId: 4, name: 'acme', deletedAt: AT }
const customer = (id: number): Actor => ({
  ...{ kind: 'session', id: 'ses', role: 'client', personId: 'per', email: null, impersonator: null },
  ...{ login: { passwordHash: null }, client: { id, name: 'acme', state: 'activo' }, expiresAt: after },
})
const token: Actor = { kind: 'token', id: 'tok', name: 't', expiresOn: '2027-01-01' }

test.each([
  ['its own deleted site', customer(4), site(), owner, true],
  ['another client’s', customer(5), site(), owner, false],
  ['what was deleted before the client was made', customer(4), site(), { ...owner, createdAt: after }, false],
  ['what lay under its number before it came', customer(4), site({ domain: '?' }), owner, false],
  ['a whole client', customer(4), whole, owner, false],
  ['a site whose client is gone', customer(4), site(), undefined, false],
] as const)('a customer sees %s only where it is its own', (_, actor, entry, of, seen) => {
  expect(isVisible(actor, entry, of)).toBe(seen)
  expect(isVisible(token, entry, of)).toBe(true)
})

test('an entry names no later client that was given the same number', () => {
  expect(ownerName(site(), owner)).toBe('acme')
  expect(ownerName(site(), { ...owner, createdAt: after })).toBe(null)
  expect(ownerName(whole, { ...owner, name: 'otro', createdAt: after })).toBe('acme')
})

test('a page goes on behind an entry that has left the bin meanwhile', () => {
  const list = ['sitio-1', 'sitio-2', 'sitio-3'].map((id) => site({ id }))
  const ids = (entries: BinEntry[], from?: string) =>
    decidePage(entries, { after: from, limit: 1 }).map(({ id }) => id)
  expect(ids(list)).toEqual(['sitio-3', 'sitio-2'])
  const [, second] = list
  const cursor = placeOf(second as BinEntry)
  expect(
    ids(
      list.filter((one) => one !== second),
      cursor,
    ),
  ).toEqual(['sitio-1'])
})
