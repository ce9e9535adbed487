import { describe, expect, test } from 'bun:test'
import { packsIn } from '../../deploy/node/backups/examine.ts'
import { decideDamage } from '../../lib/backups/damage/decide-damage.ts'
import type { Copy } from '../../lib/backups/decide.ts'
import type { CopyPart } from '../../schema/tables.ts'

const part = (snapshot: string, other: Partial<CopyPart> = {}): CopyPart => ({
  ...{ kind: 'sitio', name: snapshot, bytes: 1, snapshot, index: null, sha256: null, fault: null },
  ...other,
})
const copy = (state: Copy['state'], ...parts: CopyPart[]) => ({ state, parts })
const statesOf = (found: ReturnType<typeof decideDamage>) =>
  found && [found.state, found.parts.map(({ damaged }) => damaged === true)]

describe('a copy', () => {
  test('of which something does not read back is damaged, by any length of the id', () => {
    const whole = copy('completa', part('aaaa1111'), part('bbbb2222', { index: 'cccc3333' }))
    const found = (broken: string[]) => statesOf(decideDamage(whole, { broken, all: false }))
    expect(found(['aaaa1111ffff'])).toEqual(['danada', [true, false]])
    expect(found(['cccc'])).toEqual(['danada', [false, true]])
    expect(found(['dddd'])).toBeNull()
  })

  test('that was damaged is whole again only once all was read', () => {
    const spoilt = copy('danada', part('aaaa', { damaged: true }), part('bbbb'))
    expect(decideDamage(spoilt, { broken: [], all: false })).toBeNull()
    expect(statesOf(decideDamage(spoilt, { broken: [], all: true }))).toEqual(['completa', [false, false]])
    expect(decideDamage(spoilt, { broken: ['aaaa'], all: true })).toBeNull()
  })

  test('that lacked something before lacks it afterwards', () => {
    const lacking = copy('incompleta', part('aaaa', { fault: 'x' }))
    expect(statesOf(decideDamage(lacking, { broken: ['aaaa'], all: false }))).toEqual(['incompleta', [true]])
    const healed = copy('incompleta', part('aaaa', { fault: 'x', damaged: true }))
    expect(decideDamage(healed, { broken: [], all: true })).toEqual(lacking)
  })
})

test.each([
  ['pack *: does not exist', true],
  ['pack *: unexpected file size: got 2000, expected 3000356', true],
  ['Pack ID does not match, want *, got 0', true],
  ['pack * failed to download: StreamPack: no such file or directory', true],
  ['pack *: not referenced in any index', false],
])('restic names a pack that does not read back by %p: %p', (said, isFound) => {
  const id = '0e'.repeat(32)
  expect(packsIn(`check all packs\n${said.replace('*', id)}\n`)).toEqual(isFound ? [id] : [])
})
