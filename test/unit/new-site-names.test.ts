import { expect, test } from 'bun:test'
import { siteNamesOf } from '../../web/screens/sites/new-names.ts'

test.each<[string, string, boolean, ReturnType<typeof siteNamesOf>]>([
  ['ejemplo.es', '', true, { domain: 'ejemplo.es' }],
  ['ejemplo.es', '', false, { domain: 'ejemplo.es', aliases: [] }],
  ['ejemplo.es', 'otro.es', true, { domain: 'ejemplo.es', aliases: ['otro.es', 'www.ejemplo.es'] }],
  ['www.ejemplo.es', '', true, { domain: 'ejemplo.es' }],
  ['www.ejemplo.es', '', false, { domain: 'www.ejemplo.es', aliases: [] }],
  ['www.ejemplo.es', 'otro.es', true, { domain: 'ejemplo.es', aliases: ['otro.es', 'www.ejemplo.es'] }],
  ['www.ejemplo.es', 'ejemplo.es', true, { domain: 'ejemplo.es', aliases: ['www.ejemplo.es'] }],
  ['www.es', '', true, { domain: 'www.es' }],
])('%s with the aliases "%s" and www %s is asked for as %o', (domain, aliases, www, names) => {
  expect(siteNamesOf({ domain, aliases, www })).toEqual(names)
})
