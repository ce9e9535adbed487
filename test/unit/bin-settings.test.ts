import { expect, test } from 'bun:test'
import type { KeptRows } from '../../lib/clients/kept.ts'
import { decideSettings, type Getting, type SettingsFacts } from '../../lib/trash/decide-settings.ts'
import { type KeptSite, keptSite } from '../../lib/trash/kept.ts'
import { CLIENT, FREE, foreign, NOW, OPERATOR, room, SITE } from '../support/facts.ts'

const WORDPRESS: NonNullable<KeptSite['application']> = {
  ...{ siteId: 3, clientId: 7, kind: 'wordpress', state: 'activa', version: '6.8', language: 'es_ES' },
  ...{ installation: 'i', database: 'acme_wp3', cloneOf: null, restorePoint: 'copia', createdAt: NOW },
}
const KEPT: KeptSite = {
  site: { ...SITE, php: '8.2', singlePage: true, httpsOnly: true },
  aliases: [
    { name: 'dos.es', proven: true },
    { name: 'tres.es', proven: false },
  ],
  guards: [{ siteId: 3, path: '/privado', user: 'ana', secretHash: '{SSHA}x' }],
  tasks: [
    { pattern: '1 * * * *', argv: ['php8.2', 'web/a.php'], active: true },
    { pattern: '2 * * * *', argv: ['curl', 'x'], active: false },
  ],
  application: WORDPRESS,
}
const FACTS: SettingsFacts = {
  names: { ...FREE, present: ['uno.es'] },
  database: 'acme_wp3',
  hasApplication: false,
  tasks: null,
}
const TO: Getting = {
  site: { ...SITE, id: 9, php: '8.1' },
  client: CLIENT,
  isFormerOwner: true,
  isSame: true,
}
const decided = (
  facts: Partial<SettingsFacts> = {},
  to: Partial<Getting> = {},
  kept: Partial<KeptSite> = {},
) =>
  decideSettings(
    { ...KEPT, ...kept },
    { ...FACTS, ...facts },
    { ...TO, ...to, keys: OPERATOR.keys, now: NOW },
  )
const named = (more: object): Partial<SettingsFacts> => ({ names: { ...FACTS.names, ...more } })

test('everything comes back to the site that it was, and nothing that lay beside its files', () => {
  const settings = decided()
  expect(settings.leftOut).toEqual([])
  expect(settings.columns).toMatchObject({ php: '8.2', singlePage: true, httpsOnly: true })
  expect([settings.guards, settings.tasks]).toEqual([KEPT.guards, KEPT.tasks])
  expect(settings.aliases?.aliases).toEqual(['dos.es', 'tres.es'])
  expect([...(settings.aliases?.proven ?? [])]).toContain('dos.es')
  expect(settings.application).toEqual({ ...WORDPRESS, restorePoint: null })
})

test.each<[string, Partial<SettingsFacts>, Partial<Getting>, string[]]>([
  [
    'a name that another site has',
    named({ held: [{ name: 'dos.es', clientId: 8 }] }),
    {},
    ['alias dos.es dominio_ocupado'],
  ],
  ['a name around which another has come', named(foreign('tres.es')), {}, ['alias tres.es dominio_ocupado']],
  [
    'what the plan has no room for',
    named(room({ aliases: 1, schedules: 1, functions: ['php', 'programadas'] })),
    {},
    ['alias tres.es limite_del_plan', 'task 2 * * * * limite_del_plan'],
  ],
  [
    'what the plan does not include',
    named(room({ functions: ['programadas'] })),
    {},
    ['php 8.2 funcion_de_pago'],
  ],
  [
    'what belongs to another name',
    {},
    { isSame: false },
    ['alias dos.es otro_sitio', 'alias tres.es otro_sitio'],
  ],
  [
    'what belongs to another client',
    {},
    { isSame: false, isFormerOwner: false },
    ['alias dos.es otro_sitio', 'alias tres.es otro_sitio', 'application WordPress otro_sitio'],
  ],
  [
    'an application without its database',
    { database: undefined },
    {},
    ['application WordPress base_no_existe'],
  ],
  ['an application beside another one', { hasApplication: true }, {}, ['application WordPress ya_existe']],
])('%s is left out, and its protected parts never are', (_, facts, to, leftOut) => {
  const settings = decided(facts, to)
  expect(settings.leftOut.map(({ what, name, why }) => `${what} ${name} ${why}`)).toEqual(leftOut)
  expect(settings.guards).toEqual(KEPT.guards)
})

test('a task of a PHP that is gone runs with the one that the site has', () => {
  const gone = {
    site: { ...KEPT.site, php: '7.4' },
    tasks: [{ ...KEPT.tasks[0], argv: ['php7.4', 'a.php'] }],
  }
  const settings = decided({}, {}, gone as Partial<KeptSite>)
  expect(settings.leftOut).toEqual([{ what: 'php', name: '7.4', why: 'php_no_disponible' }])
  expect([settings.columns.php, settings.tasks[0]?.argv]).toEqual(['8.1', ['php8.1', 'a.php']])
})

test('what was being installed when the site was deleted is no application, and another site’s rows are not read', () => {
  const rows: KeptRows = {
    sites: [SITE],
    names: [],
    guards: [{ siteId: 4, path: '/', user: 'x', secretHash: null }],
    tasks: [],
    applications: [{ ...WORDPRESS, state: 'instalando' }],
  }
  const kept = keptSite(JSON.stringify(rows), 3)
  expect([kept?.application, kept?.guards]).toEqual([null, []])
  expect([keptSite(JSON.stringify(rows), 4), keptSite(null, 3)]).toEqual([null, null])
})

test('a site that goes back in time gets the tasks that it lacks, and those that it has otherwise end', () => {
  const [first, second] = KEPT.tasks
  const own = { pattern: '9 9 * * *', argv: ['php8.2', 'web/b.php'], active: true }
  const tasks = [{ ...own, id: 'pro_own' }, ...(first ? [{ ...first, id: 'pro_first' }] : [])]
  const settings = decided({ tasks, hasApplication: true })
  expect([settings.tasks, settings.ended]).toEqual([second ? [second] : [], ['pro_own']])
  expect([settings.application, settings.leftOut]).toEqual([null, []])
  // What the plan has no room for any more ends nothing that is there.
  const full = decided({ tasks, ...named(room({ functions: ['php'] })) })
  expect([full.tasks, full.ended]).toEqual([[], ['pro_own']])
})
