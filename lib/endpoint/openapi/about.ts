import type { Json } from './schemas.ts'

/** The introduction of the OpenAPI document. */
export const ABOUT = `A hosting control panel: clients, sites, plans, DNS zones and their mirrors. Its own interface uses this API and nothing else.

## Authentication
Everything below \`/api\` takes \`Authorization: Bearer …\`: an API token (\`cpt_…\`), which an admin makes in the panel or by \`POST /api/tokens\`, or the session of a person (\`cps_…\`, fifteen minutes, renewed by \`POST /acceso/renovar\`). Without a bearer every answer below \`/api\` is an empty 404. A token does what an admin does, except for what makes or moves a credential or opens a session on something: that is 403 \`no_con_token\`. A customer sees its own client alone; what belongs to others is not there (404). \`GET /api/conexion\` tells whether a bearer works and for whom.

## Bodies
JSON in UTF-8 with \`Content-Type: application/json\`, at most 256 KiB and 20 levels deep. An unknown field is refused, and so is a key given twice. Absent, \`null\` and \`""\` are three different things. Identifiers on the wire are Spanish. Bytes, counts and seconds are integers; a limit of \`null\` is unlimited; timestamps are RFC 3339 in UTC.

## Paging
A listing answers \`{"datos": […], "siguiente": "…"}\`. The next page is asked for by \`desde=<siguiente>\`; \`null\` is the last one. \`limite\` is 1 to 200, 50 where it is left out. A page costs the same however far in it is, and what is added meanwhile moves nothing.

## Repeating
Any POST, PUT, PATCH or DELETE takes an \`Idempotency-Key\` of up to 64 visible characters: the same key, route and body from the same owner within 24 hours gets the first answer again (\`Idempotency-Replayed: true\`) and has one effect; another body is 409. Of answers longer than 4 KiB the caller's newest 2 MiB are kept; a repeat of an older one is 409 \`respuesta_olvidada\` and changes nothing. A customer has 5,000 keys in 24 hours, others 50,000; more are 429. Operations whose answer holds a secret, or whose body is a file, refuse it. Suspending, activating, deleting and PUT are safe to repeat without it.

## Limits
1,200 requests in any minute by bearer, of which 600 may change something; 60 by address below \`/acceso\`. An operator can set others. \`RateLimit-Policy\` and \`RateLimit\` tell the budget and what is left of it; beyond it the answer is 429 with \`Retry-After\`. Ten unknown bearers in a minute from one address lock that address out for such bearers; a good one works from there all the same.

## Errors
RFC 9457 \`application/problem+json\`. Programs test \`codigo\`, which does not change; \`detail\` and \`campos[].mensaje\` are for people, in English, or in Spanish where \`Accept-Language\` prefers it; so is what went wrong with work behind the scenes: \`error\` of jobs, sites, certificates, zones and mirrors, and \`consejo\` of services. Each operation names its codes. All of them are explained at [/docs/errores](/docs/errores). Any operation may besides answer 405 \`metodo_no_admitido\` to another method. Every answer has an \`X-Request-Id\`, also told as \`peticion\` and in the log, but for one: the empty 404 without a bearer. What is not well-formed HTTP, such as both a \`Content-Length\` and a \`Transfer-Encoding\`, gets an empty 400 or 431 with that header, and the connection is closed.

## Work that takes longer
A change is committed together with the work that it needs; the answer waits for that up to five seconds, and then tells the state that it is in (\`preparando\`, 202 \`eliminando\`). \`GET /api/tareas\` shows the work.

## Versions
There is one version of the API. Fields and operations are added, also values of states; names, codes and meanings stay. Ignore fields that you do not know.`

/** Every group of operations: by the first segment below its prefix, or the prefix. */
const TAGS: Record<string, string> = {
  conexion: 'Whether the panel can be reached, and for whom.',
  resumen: 'How the panel is doing.',
  apariencia: 'How the operator shows the panel to customers.',
  correo: 'Mail of the panel itself.',
  clientes: 'Clients, their plan, state, login and use.',
  altas: 'Client, site, plan and login in one converging request, for billing systems.',
  sitios: 'Sites: names, PHP, HTTPS.',
  aplicaciones: 'What can be installed into sites.',
  bases: 'Databases of clients: MariaDB on their node.',
  copias: 'Where copies go.',
  papelera: 'What was deleted and can be restored.',
  importaciones: 'Archives of other panels.',
  planes: 'What clients may use.',
  uso: 'What clients use.',
  registros: 'The records of all zones.',
  zonas: 'DNS zones, their records, signing and mirrors.',
  dns: 'The account at a DNS provider that zones are mirrored to.',
  espejo: 'Mirrored zones.',
  tokens: 'API tokens.',
  personas: 'Admins.',
  yo: 'The account of the person who asks.',
  auditoria: 'Who did what.',
  eventos: 'What has happened, for programs that follow it.',
  avisos: 'Webhooks: events posted to your programs, signed as Standard Webhooks describes.',
  tareas: 'Background work.',
  nodos: 'The machines of the panel.',
  acceso: 'How people sign in. No bearer; a foreign `Origin` is refused.',
  cron: 'Scheduled work, for hosts whose cron is a request. Not for integrators.',
  salud: 'Whether the panel works.',
}

/** The tags in use, with their descriptions; one without a description is a fault of ours. */
export function tagsOf(used: string[]): Json[] {
  const missing = used.filter((name) => !Object.hasOwn(TAGS, name))
  if (missing.length > 0) throw new Error(`about.ts does not describe the tag ${missing.join()}`)
  return Object.keys(TAGS)
    .filter((name) => used.includes(name))
    .map((name) => ({ name, description: TAGS[name] }))
}
