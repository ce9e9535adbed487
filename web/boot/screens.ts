/** The screens that somebody may begin with, by their addresses; those of an admin where both have one. */
const SCREENS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'home/overview'],
  [/^clientes$/, 'clients/list'],
  [/^clientes\/(?!nuevo$)/, 'clients/client'],
  [/^sitios$/, 'sites/list'],
  [/^sitios\/[^/]+\/detalle$/, 'sites/site'],
  [/^sitios\/[^/]+\/archivos$/, 'files/screen'],
  [/^sitios\/[^/]+\/ajustes$/, 'sites/settings/settings'],
  [/^sitios\/[^/]+\/bitacora$/, 'logs/logs'],
  [/^bases$/, 'databases/list'],
  [/^planes$/, 'plans/list'],
  [/^zonas$/, 'zones/list'],
  [/^zonas\//, 'zones/zone'],
  [/^tareas$/, 'jobs/list'],
  [/^auditoria$/, 'audit/list'],
  [/^nodos$/, 'nodes/list'],
  [/^cuenta$/, 'account/account'],
]

/** All of them, so that the build can tell whether each is there. */
export const firstScreens = SCREENS.map(([, screen]) => screen)

/** Parts of screens that come when they are asked for; fetched ahead as the screens are. */
export const laterParts: readonly string[] = [
  'zones/changes',
  'zones/dnssec',
  'zones/mail/check',
  'zones/mail/choose',
  'zones/records/record-form',
  'zones/transfer',
]

/** The screen at an address, as the path of its file below web/screens; undefined for one that is seldom the first. */
export function screenAt(path: string): string | undefined {
  const inside = path.replace(/^\/(?:panel|entrar)?/, '').replace(/^\/|\/$/g, '')
  return SCREENS.find(([address]) => address.test(inside))?.[1]
}
