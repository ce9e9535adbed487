import { expect, test } from 'bun:test'
import { decideMissing } from '../../deploy/node/backups/recovery/missing-copies.ts'

const wanted = (name: string, ...snapshots: string[]) => ({ clientId: 1, client: 'ana', name, snapshots })
const BOTH = [wanted('ana.es', 'ab', 'cd'), wanted('ana_tienda', 'ef')]

test.each([
  ['all of it', ['ab1', 'cd2', 'ef3'], null, null],
  ['no list of a site', ['ab1', 'ef3'], null, 'ana: copies are not in its repository (ana.es)'],
  ['nothing', [], 'its repository is not there', 'ana: its repository is not there (ana.es, ana_tienda)'],
  ['all of it, in parts', ['ab1', 'cd2', 'ef3'], 'it has lost something', 'ana: it has lost something'],
])('a repository has %s', (_, ids, fault, told) => {
  expect(decideMissing(BOTH, { ids, fault })).toBe(told)
})
