import { expect, test } from 'bun:test'
import type { Client } from '../../lib/clients/decide.ts'
import type { Actor } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import type { BinEntry } from '../../lib/endpoint/ports/bin.ts'
import {
  decidePage,
  decideRestore,
  isKept,
  isVisible,
  ownerName,
  placeOf,
  requireTarget,
} from '../../lib/trash/decide.ts'

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

const NOT_NAMED = { site: undefined, load: undefined, isNamed: false, isBusy: false }
const base = (more: object): BinEntry => ({
  ...{ id: 'base-3', kind: 'database', clientId: 4, databaseId: 3, client: 'acme', name: 'acme_x' },
  ...{ deletedAt: AT, ...more },
})

test.each([
  ['a site of its client’s', site(), owner, false, 'sitio_no_existe'],
  ['a site whose client is gone', site(), undefined, false, 'apart'],
  ['a site whose client’s number another has', site(), { ...owner, createdAt: after }, false, 'apart'],
  ['a site of a gone client, with a target', site(), undefined, true, 'sitio_no_existe'],
  ['a site that was nobody’s, with a target', site({ domain: '?' }), owner, true, 'apart'],
  ['a whole client', whole, undefined, false, 'apart'],
  ['a whole client, with a site that it had not', whole, undefined, true, 'sitio_no_existe'],
  ['a base of its client’s', base({}), owner, false, 'base_no_existe'],
  ['a base that was nobody’s', base({ clientId: 0, client: '' }), undefined, false, 'apart'],
  [
    'a base that was nobody’s, with a target',
    base({ clientId: 0, client: '' }),
    undefined,
    true,
    'base_no_existe',
  ],
  ['a base whose client is gone', base({}), undefined, false, 'apart'],
] as const)('%s goes apart only where no present owner can get it', (_, entry, of, isNamed, then) => {
  const facts = { ...NOT_NAMED, isNamed, owner: of as Client | undefined }
  const decided = () => {
    try {
      return decideRestore(entry, facts, { actor: token, here: null, apart: false, exhausted: null }).kind
    } catch (refusal) {
      return refusal instanceof AppError ? refusal.codigo : String(refusal)
    }
  }
  expect(decided()).toBe(then)
})

test.each([
  ['a base for a site', site(), { base: 'acme_x' }, 'base'],
  ['a base for a whole client', whole, { base: 'acme_x' }, 'base'],
  ['a site for a base', base({}), { site: 'acme.es' }, 'sitio'],
  ['a site for what was nobody’s', site({ domain: '?' }), { site: 'acme.es' }, 'sitio'],
  ['a base besides a folder', base({}), { base: 'acme_x', apart: true }, 'base'],
  ['a site besides a folder', site(), { site: 'acme.es', apart: true }, 'sitio'],
  ['a base that was nobody’s for a base', base({ clientId: 0, client: '' }), { base: 'acme_x' }, null],
  ['a site for a site', site(), { site: 'acme.es' }, null],
  ['a site of a whole client’s', whole, { site: 'acme.es' }, null],
] as const)('%s is refused where it would be left out without a word', (_, entry, asked, field) => {
  const refused = () => {
    try {
      requireTarget(entry, asked, 'en')
      return null
    } catch (refusal) {
      return refusal instanceof AppError ? refusal.extra.campos?.[0]?.campo : String(refusal)
    }
  }
  expect(refused()).toBe(field)
})

test.each([
  [7, -1, true],
  [7, 0, false],
  [7, 1, false],
  [0, 0, false],
])('after %i days and %i ms an entry is kept: %p', (days, ms, kept) => {
  const now = new Date(AT.getTime() + days * 86_400_000 + ms)
  expect(isKept(site(), { now, days })).toBe(kept)
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
