import { describe, expect, test } from 'bun:test'
import type { Administration } from '../../deploy/node/databases/connection.ts'
import { makeDatabase } from '../../deploy/node/databases/held.ts'
import { quarantine } from '../../lib/clients/compare-databases.ts'
import { decideRealm, type WantedRealm } from '../../lib/clients/decide-realm.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { HeldRealm } from '../../lib/endpoint/ports/databases.ts'
import type { Db } from '../../lib/store/database.ts'
import { partly } from '../support/partly.ts'

const HELD: HeldRealm = {
  databases: ['ana_tienda'],
  accounts: [
    { name: 'w1', clientId: 1, locked: false },
    { name: 'ana_lee', clientId: null, locked: false },
  ],
  rights: [{ name: 'w1', clientId: 1, database: 'ana_tienda' }],
}
const WANTED: WantedRealm = {
  databases: [{ name: 'ana_tienda', clientId: 1 }],
  accounts: [{ name: 'ana_lee' }],
  clientIds: [1],
  onDisk: [1],
  compared: [{ id: 1, suspended: false, databases: ['ana_tienda'], accounts: ['ana_lee'] }],
}
const look = (held: Partial<HeldRealm>, wanted: Partial<WantedRealm> = {}) => {
  const { differences, databases, accounts } = decideRealm({ ...HELD, ...held }, { ...WANTED, ...wanted })
  const found = [...differences.values()].flat().map(({ part, where }) => `${part} ${where}`)
  return [found, databases, accounts.map(({ name }) => name)]
}

describe('a server of databases', () => {
  test('that holds what it should has no difference', () => {
    expect(look({})).toEqual([[], [], []])
  })

  test.each<[string, Partial<HeldRealm>, string[]]>([
    ['a base', { databases: [] }, ['base ana_tienda']],
    ['the account of the Unix user', { accounts: HELD.accounts.slice(1) }, ['account 1']],
    ['the right of that on a base', { rights: [] }, ['account 1']],
    ['an account with a password', { accounts: HELD.accounts.slice(0, 1) }, ['account ana_lee']],
  ])('that lacks %s differs', (_, held, found) => {
    expect(look(held)[0]).toEqual(found)
  })

  test('differs where a suspended client could come in', () => {
    const compared = [{ id: 1, suspended: true, databases: ['ana_tienda'], accounts: ['ana_lee'] }]
    expect(look({}, { compared })[0]).toEqual(['account 1', 'account ana_lee'])
  })

  test('has something of nobody’s where no client has it, wherever that client is', () => {
    const held = ['ana_tienda', 'bea_suya', 'nadie_x']
    const accounts = [
      ...HELD.accounts,
      { name: 'w2', clientId: 2, locked: false },
      { name: 'w9', clientId: 9, locked: false },
      { name: 'nadie_x', clientId: null, locked: true },
    ]
    const databases = [...WANTED.databases, { name: 'bea_suya', clientId: 2 }]
    expect(look({ databases: held, accounts }, { databases, clientIds: [1, 2] })).toEqual([
      [],
      ['nadie_x'],
      ['w9', 'nadie_x'],
    ])
  })
})

test('keeps what is of a client that is not known and whose directory is there, and closes its account', () => {
  const held: HeldRealm = {
    databases: ['ana_tienda', 'otro_a', 'ido_a'],
    accounts: [
      ...HELD.accounts,
      { name: 'w8', clientId: 8, locked: false },
      { name: 'w9', clientId: 9, locked: false },
      { name: 'otro_lee', clientId: null, locked: false },
    ],
    rights: [
      ...HELD.rights,
      { name: 'w8', clientId: 8, database: 'ido_a' },
      { name: 'w9', clientId: 9, database: 'otro_a' },
    ],
  }
  const { databases, accounts, aside, open } = decideRealm(held, { ...WANTED, onDisk: [1, 9] })
  expect([databases, aside]).toEqual([['ido_a'], ['otro_a']])
  expect([accounts, open].map((some) => some.map(({ name }) => name))).toEqual([['w8', 'otro_lee'], ['w9']])
  const locked = held.accounts.map((one) => ({ ...one, locked: one.clientId === 9 }))
  expect(decideRealm({ ...held, accounts: locked }, { ...WANTED, onDisk: [1, 9] }).open).toEqual([])
})

test.each([
  ['nobody', [], false],
  ['the client itself', [{ user: 'w2', host: 'localhost' }], false],
  ['an account with a password', [{ user: 'ana_lee', host: '%' }], false],
  ['another client', [{ user: 'w1', host: 'localhost' }], true],
])('a base on which %s has rights is made anew: %p', async (_, rights, isOthers) => {
  const asked: string[] = []
  const run = async (statement: string) => {
    asked.push(statement)
    return statement.includes('FROM mysql.db') ? rights : []
  }
  const administration = { run } as Pick<Administration, 'run'> as Administration
  const means = { administration } as Parameters<typeof makeDatabase>[0]
  await makeDatabase(means, { name: 'ana_uno_x', account: 'w2', prefix: 'w' })
  expect(asked.some((statement) => statement.startsWith('DROP DATABASE'))).toBe(isOthers)
  expect(asked.at(-1)).toBe('CREATE DATABASE IF NOT EXISTS `ana_uno_x`')
})

test('what somebody has taken since it was nobody’s is left alone', async () => {
  const ended: string[] = []
  const get = async () => (ended.length > 0 ? { id: 1 } : undefined)
  // The query builder as far as it is used here.
  const read = { select: () => ({ from: () => ({ where: () => ({ get }) }) }) } as unknown as Db
  const services = partly<Services>({
    db: { read },
    driver: {
      databases: {
        quarantine: async (name: string) => void ended.push(name),
        endAccount: async ({ name }: { name: string }) => void ended.push(name),
      },
    },
  })
  const accounts = [
    { name: 'ana_lee', clientId: null },
    { name: 'w9', clientId: 9 },
  ]
  await quarantine(services, { databases: ['ana_vieja', 'ana_nueva'], accounts, open: [] })
  expect(ended).toEqual(['ana_vieja', 'w9'])
})
