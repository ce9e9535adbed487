import { expect, test } from 'bun:test'
import { AppError, type ErrorCode } from '../../lib/endpoint/errors.ts'
import { BEAT_MS, decideGivingUp, type GivingUp } from '../../lib/nodes/decide.ts'

const now = new Date('2026-11-23T00:00:00Z')
const seen = (beatsAgo: number) => ({ name: 'nodo2', seenAt: new Date(now.getTime() - beatsAgo * BEAT_MS) })

test.each<[string, GivingUp, ErrorCode | null]>([
  ['that nobody knows', { node: undefined, own: 'nodo1' }, 'nodo_no_existe'],
  ['that missed three beats', { node: seen(4), own: 'nodo1' }, null],
  ['that missed three beats, from a host that is no node', { node: seen(4), own: null }, null],
  ['whose third beat may still come', { node: seen(3.4), own: 'nodo1' }, 'nodo_presente'],
  ['that is ahead of this clock', { node: seen(-9), own: 'nodo1' }, 'nodo_presente'],
  ['that decides itself', { node: seen(4), own: 'nodo2' }, 'nodo_presente'],
])('a node %s', (_, facts, refusal) => {
  const decide = () => decideGivingUp(facts, now)
  if (refusal === null) expect(decide).not.toThrow()
  else expect(decide).toThrow(new AppError(refusal))
})
