import * as v from 'valibot'
import { count, named, timestamp, told } from './fields.ts'
import { loginShape, type personShape, type tokenShape } from './person-shapes.ts'

export * from './person-shapes.ts'

/** The resources as they are returned (contract section 2): the one description of each on the wire. */

const string = v.string()
const nullable = <T extends v.GenericSchema>(schema: T) => v.nullable(schema)
const limit = v.nullable(count)

const client = told(string, 'The name of the client, its key.', 'acme')
const node = told(string, 'The node that it lives on.', 'nodo1')
const created = told(timestamp, 'When it was made.', '2026-11-21T09:30:00.000Z')
const email = (description: string) => told(nullable(string), description, 'ana@ejemplo.es')
const cause = (description: string) => told(nullable(string), description, null)
const when = (description: string, example: string | null = null) =>
  told(nullable(timestamp), description, example)

export const clientShape = named(
  'Cliente',
  'A client: the owner of sites and zones, with a Unix user of its own.',
  v.strictObject({
    cliente: client,
    referencia: told(nullable(string), 'Its key in a system of yours.', 'whmcs-5f2c9a01:41'),
    nombre: told(nullable(string), 'Its name for people.', 'Acme SL'),
    correo: email('The recovery address of its login.'),
    estado: told(
      v.picklist(['activo', 'suspendido', 'eliminando']),
      '`suspendido`: its sites answer 503. `eliminando`: its deletion is under way.',
      'activo',
    ),
    motivo: cause('Why it is suspended.'),
    suspendido_desde: when('Since when it is suspended.'),
    plan: told(nullable(string), 'Its plan; null is no limits and all functions.', 'basico'),
    nodo: node,
    creado_por: told(
      v.picklist(['token', 'persona']),
      'Who made it; a token makes logins only for clients that a token made.',
      'token',
    ),
    acceso: told(
      v.picklist(['sin_acceso', 'pendiente', 'activo']),
      'Its login: none, one whose link is not spent, or one in use.',
      'activo',
    ),
    sitios: told(count, 'How many sites it has.', 1),
    creado: created,
    actualizado: told(timestamp, 'When it was last changed.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const httpsShape = named(
  'Https',
  'The certificate that a site is served with.',
  v.strictObject({
    estado: told(
      v.picklist(['autofirmado', 'pendiente', 'activo', 'error']),
      '`activo`: browsers trust it. `autofirmado`: none has been asked for. `pendiente`: one is being asked for.',
      'activo',
    ),
    emisor: told(
      nullable(string),
      "The authority that issued it; null for the site's own, self-signed one.",
      "Let's Encrypt",
    ),
    caduca: when('When it ends; it is renewed before.', '2027-02-19T09:30:00.000Z'),
    nombres: told(v.array(string), 'The names that it is for.', ['ejemplo.es', 'www.ejemplo.es']),
    error: cause('Why the last attempt failed.'),
  }),
)

export const siteShape = named(
  'Sitio',
  'A site: a document root that the web server serves under its names.',
  v.strictObject({
    domain: told(string, 'Its name, its key, in A-labels.', 'ejemplo.es'),
    domain_unicode: told(string, 'The same for people to read.', 'ejemplo.es'),
    aliases: told(v.array(string), 'Its further names.', ['www.ejemplo.es']),
    cliente: client,
    nodo: node,
    estado: told(
      v.picklist(['preparando', 'activo', 'suspendido', 'error', 'eliminando']),
      '`preparando`: not served yet. `error`: tried again by itself, see `error`.',
      'activo',
    ),
    error: cause('What keeps it from being served.'),
    php: told(nullable(string), 'The version of PHP; null serves files alone.', '8.2'),
    php_disponibles: told(
      v.array(string),
      "What `php` may be: the versions of the client's node, ascending.",
      ['8.2', '8.4'],
    ),
    https: httpsShape,
    solo_https: told(v.boolean(), 'Whether HTTP is to be redirected to HTTPS.', true),
    solo_https_en_espera: told(
      v.boolean(),
      'That this is held until the site has a certificate that browsers trust.',
      false,
    ),
    zona: told(nullable(string), 'The zone of the panel that holds its name.', 'ejemplo.es'),
    raiz: v.optional(
      told(string, 'Its directory on the node; told to admins and tokens.', '/srv/panel/sitios/7/12/public'),
    ),
    creado: created,
  }),
)

/** What a plan can include; `funciones` left out means all of them. */
export const FUNCTIONS = ['php', 'https', 'espejo_dns'] as const
export const planFunction = v.picklist(FUNCTIONS, 'valor_no_admitido')

export const limitsShape = named(
  'Limites',
  'What a plan allows; null is unlimited.',
  v.strictObject({
    disco_bytes: told(limit, 'Bytes on disk.', 1073741824),
    inodos: told(limit, 'Files and directories.', 100000),
    trafico_bytes: told(limit, 'Bytes sent and received in a month.', null),
    sitios: told(limit, 'Sites.', 1),
    aliases: told(limit, 'Further names of all sites.', 5),
    zonas: told(limit, 'DNS zones.', 1),
  }),
)

export const planShape = named(
  'Plan',
  'What its clients may use.',
  v.strictObject({
    plan: told(string, 'Its name, its key.', 'basico'),
    ...limitsShape.entries,
    funciones: told(v.array(planFunction), 'The functions that it includes.', ['php', 'https']),
    clientes: told(count, 'How many clients have it; a customer is told 0 or 1.', 12),
    creado: created,
  }),
)

const consumptionShape = named(
  'Consumo',
  'Use of one resource against its limit.',
  v.strictObject({
    usado: told(count, 'What is used.', 107374182),
    limite: told(limit, 'What the plan allows; null is unlimited.', 1073741824),
    porcentaje: told(nullable(v.number()), 'Used of the limit; null without one.', 10),
    nivel: told(
      v.picklist(['bien', 'aviso', 'superado']),
      '`aviso`: close to the limit. `superado`: at it or over it.',
      'bien',
    ),
  }),
)

export const usageShape = named(
  'Uso',
  'What a client uses, as measured.',
  v.strictObject({
    cliente: client,
    plan: told(nullable(string), 'Its plan.', 'basico'),
    medido: when('When disk was measured; null before the first time.', '2026-11-21T09:15:00.000Z'),
    origen: told(
      nullable(v.picklist(['cuota', 'recorrido'])),
      "By the file system's quota, or by a walk through the files.",
      'cuota',
    ),
    periodo: told(
      v.strictObject({
        desde: told(string, 'Its first day.', '2026-11-01'),
        hasta: told(string, 'The day after its last.', '2026-12-01'),
      }),
      'The month that traffic is counted in.',
    ),
    consumo: told(
      v.strictObject({
        disco_bytes: consumptionShape,
        inodos: consumptionShape,
        trafico_bytes: consumptionShape,
        sitios: consumptionShape,
        aliases: consumptionShape,
        zonas: consumptionShape,
      }),
      'By resource.',
    ),
  }),
)

export const usageDayShape = named(
  'UsoDiario',
  'What a client used on one day (UTC).',
  v.strictObject({
    dia: told(string, 'The day.', '2026-11-21'),
    disco_bytes: told(nullable(count), 'Bytes on disk at its last measurement.', 107374182),
    inodos: told(nullable(count), 'Files and directories then.', 4210),
    trafico_entrada_bytes: told(count, 'Bytes received from visitors.', 52311),
    trafico_salida_bytes: told(count, 'Bytes sent to visitors.', 918273),
  }),
)

export const jobShape = named(
  'Tarea',
  'Background work.',
  v.strictObject({
    id: told(string, 'Its key.', 'job_01JD8Z3K9Q'),
    tipo: told(string, 'What it does.', 'sitio.aplicar'),
    nodo: told(nullable(string), 'The node that does it; null for any.', 'nodo1'),
    cliente: told(nullable(string), 'The client that it is for.', 'acme'),
    objeto: told(nullable(string), 'What it works on.', 'sitio:12'),
    estado: told(
      v.picklist(['pendiente', 'en_curso', 'hecha', 'fallida']),
      '`fallida` is not tried again by itself.',
      'hecha',
    ),
    intentos: told(count, 'How often it was begun.', 1),
    paso: told(nullable(string), 'The step that it is at.', null),
    error: cause('Why the last attempt failed.'),
    proxima: when('When it is tried next.'),
    creada: told(timestamp, 'When it was queued.', '2026-11-21T09:30:00.000Z'),
    terminada: when('When it was done or given up.', '2026-11-21T09:30:01.000Z'),
  }),
)

export const auditShape = named(
  'Apunte',
  'One entry of the audit trail.',
  v.strictObject({
    id: told(count, 'Its number; newer ones are higher.', 118),
    cuando: told(timestamp, 'When.', '2026-11-21T09:30:00.000Z'),
    actor: told(
      v.strictObject({
        tipo: told(v.picklist(['token', 'persona', 'sistema', 'anonimo']), 'Its kind.', 'token'),
        id: told(nullable(string), 'The key of the token or person.', 'tok_01JD8Z3K9Q'),
        nombre: told(string, 'Its name or address.', 'facturacion'),
        suplantado_por: told(nullable(string), 'The admin who acted in its place.', null),
      }),
      'Who did it.',
    ),
    operacion: told(string, 'What was asked for.', 'POST /clientes/<cliente>/suspender'),
    cliente: told(nullable(string), 'The client that it was about.', 'acme'),
    objeto: told(nullable(string), 'What of it.', null),
    resultado: told(string, '`hecho`, or the code that it was refused with.', 'hecho'),
    peticion: told(nullable(string), 'The request id of the answer.', '01JD8Z3K9QX7V5N2M4B6C8D0EF'),
    detalle: told(nullable(v.record(string, v.unknown())), 'What else is worth knowing.', null),
  }),
)

export const nodeShape = named(
  'Nodo',
  'One machine of the panel.',
  v.strictObject({
    nodo: told(string, 'Its name, its key.', 'nodo1'),
    version: told(string, "Its panel's version.", '0.1.0'),
    estado: told(
      v.picklist(['bien', 'con_fallos', 'ausente']),
      '`con_fallos`: a service is down. `ausente`: it has not been heard of lately.',
      'bien',
    ),
    direcciones: told(v.array(string), 'Its public addresses.', ['192.0.2.1', '2001:db8::1']),
    servidores_dns: told(v.array(string), 'The name servers of its zones.', ['ns1.ejemplo.net']),
    servicios: told(
      v.array(
        v.strictObject({
          servicio: told(string, 'Its name.', 'nginx'),
          estado: told(v.picklist(['activo', 'parado']), 'Whether it runs.', 'activo'),
          version: told(nullable(string), 'Its version, where it tells one.', '1.26.3'),
          consejo: told(nullable(string), 'What to do about it.', null),
        }),
      ),
      'The services that it runs.',
    ),
    capacidad: told(
      nullable(
        v.strictObject({
          disco_bytes: told(count, 'Size of the disk.', 107374182400),
          disco_libre_bytes: told(count, 'What of it is free.', 85899345920),
          inodos: told(nullable(count), 'Inodes of the file system, where it counts them.', 6553600),
          inodos_libres: told(nullable(count), 'What of them is free.', 6501234),
          memoria_bytes: told(count, 'Memory.', 4294967296),
          carga: told(v.number(), 'Load average of one minute.', 0.12),
        }),
      ),
      'As it last told.',
    ),
    clientes: told(count, 'Clients that live on it.', 12),
    pendientes: told(
      v.strictObject({
        tareas: told(count, 'Jobs.', 0),
        correos: told(count, 'Mails.', 0),
      }),
      'Work that waits for the node.',
    ),
    arrancado: told(timestamp, 'When its panel was started.', '2026-11-20T06:00:00.000Z'),
    visto: told(timestamp, 'When it was last heard of.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const provisionShape = named(
  'Alta',
  'What was provisioned.',
  v.strictObject({
    cliente: clientShape,
    sitio: siteShape,
    acceso: told(nullable(loginShape), 'The login; null where none was wanted.'),
    hecho: told(v.array(string), 'What this request changed; empty when all was there.', [
      'cliente_creado',
      'sitio_creado',
    ]),
  }),
)

const gone = told(v.literal(true), 'Nothing of it is served any more.', true)
const leaving = told(v.literal('eliminando'), 'The deletion goes on.', 'eliminando')

/** What a deletion answers that may take longer than a request: done, or under way. */
export const removalShape = <E extends v.ObjectEntries>(title: string, name: E) =>
  named(
    title,
    'A deletion: done with 200, under way with 202.',
    v.union([v.strictObject({ ...name, eliminado: gone }), v.strictObject({ ...name, estado: leaving })]),
  )

export type ClientView = v.InferOutput<typeof clientShape>
export type SiteView = v.InferOutput<typeof siteShape>
export type PlanView = v.InferOutput<typeof planShape>
export type LimitsView = v.InferOutput<typeof limitsShape>
export type UsageView = v.InferOutput<typeof usageShape>
export type TokenView = v.InferOutput<typeof tokenShape>
export type LoginView = v.InferOutput<typeof loginShape>
export type PersonView = v.InferOutput<typeof personShape>
export type JobView = v.InferOutput<typeof jobShape>
export type NodeView = v.InferOutput<typeof nodeShape>
