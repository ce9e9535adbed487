import { describe, expect, test } from 'bun:test'
import { decideRealm, type WantedRealm } from '../../lib/clients/decide-realm.ts'
import type { HeldRealm } from '../../lib/endpoint/ports/databases.ts'

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
