import * as v from 'valibot'
import { count, timestamp } from './fields.ts'

/** The resources as they are returned (contract section 2): the one description of each on the wire. */

const string = v.string()
const nullable = <T extends v.GenericSchema>(schema: T) => v.nullable(schema)
const limit = v.nullable(count)

export const clientShape = v.strictObject({
  cliente: string,
  referencia: nullable(string),
  nombre: nullable(string),
  correo: nullable(string),
  estado: v.picklist(['activo', 'suspendido', 'eliminando']),
  motivo: nullable(string),
  suspendido_desde: nullable(timestamp),
  plan: nullable(string),
  nodo: string,
  creado_por: v.picklist(['token', 'persona']),
  acceso: v.picklist(['sin_acceso', 'pendiente', 'activo']),
  sitios: count,
  creado: timestamp,
  actualizado: timestamp,
})

export const httpsShape = v.strictObject({
  estado: v.picklist(['autofirmado', 'pendiente', 'activo', 'error']),
  emisor: nullable(string),
  caduca: nullable(timestamp),
  nombres: v.array(string),
  error: nullable(string),
})

export const siteShape = v.strictObject({
  domain: string,
  domain_unicode: string,
  aliases: v.array(string),
  cliente: string,
  nodo: string,
  estado: v.picklist(['preparando', 'activo', 'suspendido', 'error', 'eliminando']),
  error: nullable(string),
  php: nullable(string),
  /** What `php` may be: the versions of the client's node, ascending. */
  php_disponibles: v.array(string),
  https: httpsShape,
  solo_https: v.boolean(),
  zona: nullable(string),
  /** The site's directory on the node; only admins and tokens are told. */
  raiz: v.optional(string),
  creado: timestamp,
})

/** What a plan can include; `funciones` left out means all of them. */
export const FUNCTIONS = ['php', 'https', 'espejo_dns'] as const
export const planFunction = v.picklist(FUNCTIONS, 'valor_no_admitido')

export const limitsShape = v.strictObject({
  disco_bytes: limit,
  inodos: limit,
  trafico_bytes: limit,
  sitios: limit,
  aliases: limit,
  zonas: limit,
})

export const planShape = v.strictObject({
  plan: string,
  ...limitsShape.entries,
  funciones: v.array(planFunction),
  clientes: count,
  creado: timestamp,
})

const consumptionShape = v.strictObject({
  usado: count,
  limite: limit,
  porcentaje: nullable(v.number()),
  nivel: v.picklist(['bien', 'aviso', 'superado']),
})

export const usageShape = v.strictObject({
  cliente: string,
  plan: nullable(string),
  medido: nullable(timestamp),
  origen: nullable(v.picklist(['cuota', 'recorrido'])),
  periodo: v.strictObject({ desde: string, hasta: string }),
  consumo: v.strictObject({
    disco_bytes: consumptionShape,
    inodos: consumptionShape,
    trafico_bytes: consumptionShape,
    sitios: consumptionShape,
    aliases: consumptionShape,
    zonas: consumptionShape,
  }),
})

export const usageDayShape = v.strictObject({
  dia: string,
  disco_bytes: nullable(count),
  inodos: nullable(count),
  trafico_entrada_bytes: count,
  trafico_salida_bytes: count,
})

export const tokenShape = v.strictObject({
  id: string,
  nombre: string,
  pista: string,
  estado: v.picklist(['valido', 'revocado', 'caducado']),
  caduca: string,
  creador: string,
  creado: timestamp,
  ultimo_uso: nullable(v.strictObject({ cuando: timestamp, desde: string })),
  revocado: nullable(timestamp),
})

export const loginShape = v.strictObject({
  cliente: string,
  correo: string,
  rol: v.literal('client'),
  estado: v.picklist(['pendiente', 'activo']),
  segundo_factor: v.boolean(),
  enlace: nullable(
    v.strictObject({
      estado: v.picklist(['en_cola', 'enviado', 'fallido', 'gastado', 'caducado']),
      caduca: nullable(timestamp),
    }),
  ),
  ultimo_acceso: nullable(timestamp),
})

export const personShape = v.strictObject({
  id: string,
  correo: nullable(string),
  rol: v.literal('admin'),
  estado: v.picklist(['pendiente', 'activa', 'inactiva']),
  segundo_factor: v.boolean(),
  tokens: count,
  creado: timestamp,
  ultimo_acceso: nullable(timestamp),
})

export const sessionShape = v.strictObject({
  id: string,
  actual: v.boolean(),
  direccion: string,
  agente: string,
  creada: timestamp,
  renovada: timestamp,
  caduca: timestamp,
  suplantada_por: nullable(string),
})

export const meShape = v.strictObject({
  correo: nullable(string),
  rol: v.picklist(['admin', 'client']),
  cliente: nullable(string),
  estado_cliente: nullable(v.picklist(['activo', 'suspendido', 'eliminando'])),
  segundo_factor: v.boolean(),
  codigos_recuperacion: count,
  tokens: v.array(tokenShape),
  idioma: v.picklist(['es', 'en']),
  suplantada_por: nullable(string),
})

export const jobShape = v.strictObject({
  id: string,
  tipo: string,
  nodo: nullable(string),
  cliente: nullable(string),
  objeto: nullable(string),
  estado: v.picklist(['pendiente', 'en_curso', 'hecha', 'fallida']),
  intentos: count,
  paso: nullable(string),
  error: nullable(string),
  proxima: nullable(timestamp),
  creada: timestamp,
  terminada: nullable(timestamp),
})

export const auditShape = v.strictObject({
  id: count,
  cuando: timestamp,
  actor: v.strictObject({
    tipo: v.picklist(['token', 'persona', 'sistema', 'anonimo']),
    id: nullable(string),
    nombre: string,
    suplantado_por: nullable(string),
  }),
  operacion: string,
  cliente: nullable(string),
  objeto: nullable(string),
  resultado: string,
  peticion: nullable(string),
  detalle: nullable(v.record(string, v.unknown())),
})

export const nodeShape = v.strictObject({
  nodo: string,
  version: string,
  estado: v.picklist(['bien', 'con_fallos', 'ausente']),
  direcciones: v.array(string),
  servidores_dns: v.array(string),
  servicios: v.array(
    v.strictObject({
      servicio: string,
      estado: v.picklist(['activo', 'parado']),
      version: nullable(string),
      consejo: nullable(string),
    }),
  ),
  capacidad: nullable(
    v.strictObject({
      disco_bytes: count,
      disco_libre_bytes: count,
      inodos: nullable(count),
      inodos_libres: nullable(count),
      memoria_bytes: count,
      carga: v.number(),
    }),
  ),
  clientes: count,
  /** Work that waits for the node. */
  pendientes: v.strictObject({ tareas: count, correos: count }),
  arrancado: timestamp,
  visto: timestamp,
})

/** Answers of the sign-in steps (contract section 4). */
export const totpShape = v.strictObject({ secreto: string, uri: string })
export const stepShape = v.variant('paso', [
  v.strictObject({ paso: v.literal('inscribir'), paso_token: string, totp: totpShape }),
  v.strictObject({ paso: v.literal('segundo_factor'), paso_token: string }),
  v.strictObject({ paso: v.literal('elegir'), clientes: v.array(string) }),
])
/** What a spent link leads to: the next step of a sign-in, or nothing further. */
export const spentShape = v.variant('paso', [
  ...stepShape.options,
  v.strictObject({ paso: v.literal('correo_confirmado'), correo: string }),
])
export const signedInShape = v.strictObject({
  sesion: string,
  caduca: timestamp,
  persona: v.strictObject({
    correo: nullable(string),
    rol: v.picklist(['admin', 'client']),
    cliente: nullable(string),
  }),
  codigos_recuperacion: v.optional(v.array(string)),
})

export const provisionShape = v.strictObject({
  cliente: clientShape,
  sitio: siteShape,
  acceso: nullable(loginShape),
  hecho: v.array(string),
})

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
