import * as v from 'valibot'
import { CLIENT_STATES } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { client, created, email, nullable, string, when } from '../endpoint/shapes.ts'

/** People, their credentials and how they sign in, as they are returned. */

export const tokenShape = named(
  'Token',
  'An API token, without its value.',
  v.strictObject({
    id: told(string, 'Its key.', 'tok_01JD8Z3K9Q'),
    nombre: told(string, 'What it is for, as its creator named it.', 'facturacion'),
    pista: told(string, 'The start of its value, by which a person finds it again.', 'cpt_Ab3dE9x2'),
    estado: told(v.picklist(['valido', 'revocado', 'caducado']), 'Only a `valido` one is taken.', 'valido'),
    caduca: told(string, 'The last day (UTC) that it works.', '2027-11-20'),
    creador: told(string, 'The admin who made it.', 'admin@ejemplo.es'),
    creado: created,
    ultimo_uso: told(
      nullable(
        v.strictObject({
          cuando: told(timestamp, 'To the minute.', '2026-11-21T09:30:00.000Z'),
          desde: told(string, 'The address.', '192.0.2.7'),
        }),
      ),
      'When and from where it was last used.',
    ),
    revocado: when('When it was revoked.'),
  }),
)

export const newTokenShape = named(
  'TokenNuevo',
  'An API token with its value, this once.',
  v.strictObject({
    ...tokenShape.entries,
    token: told(string, 'The value. It is shown nowhere else.', 'cpt_Ab3dE9x2'),
  }),
)

export const loginShape = named(
  'Acceso',
  "A client's login.",
  v.strictObject({
    cliente: client,
    correo: told(string, 'Its recovery address.', 'ana@ejemplo.es'),
    rol: told(v.literal('client'), 'It sees its own client alone.', 'client'),
    estado: told(v.picklist(['pendiente', 'activo']), '`pendiente` until its first link is spent.', 'activo'),
    segundo_factor: told(v.boolean(), 'Whether a second factor is enrolled.', true),
    enlace: told(
      nullable(
        v.strictObject({
          estado: told(
            v.picklist(['en_cola', 'enviado', 'fallido', 'gastado', 'caducado']),
            'Of the newest link: waiting to be mailed, mailed, not mailable, spent or expired.',
            'gastado',
          ),
          caduca: when('An hour after the mail was handed over; null before.', '2026-11-21T10:30:00.000Z'),
        }),
      ),
      'The newest one-time link.',
    ),
    ultimo_acceso: when('When somebody last signed in.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const personShape = named(
  'Persona',
  'An admin.',
  v.strictObject({
    id: told(string, 'Its key.', 'per_01JD8Z3K9Q'),
    correo: email('Its address; null for the first admin before its link is spent.'),
    rol: told(v.literal('admin'), 'Admins see everything.', 'admin'),
    estado: told(
      v.picklist(['pendiente', 'activa', 'inactiva']),
      '`pendiente` until its link is spent; `inactiva` cannot sign in.',
      'activa',
    ),
    segundo_factor: told(v.boolean(), 'Whether a second factor is enrolled.', true),
    tokens: told(count, 'How many valid API tokens it has made.', 1),
    creado: created,
    ultimo_acceso: when('When it last signed in.', '2026-11-21T09:30:00.000Z'),
  }),
)

export const sessionShape = named(
  'Sesion',
  'An open session of a person.',
  v.strictObject({
    id: told(string, 'Its key.', 'ses_01JD8Z3K9Q'),
    actual: told(v.boolean(), 'Whether it is the one that asks.', true),
    direccion: told(string, 'Where it was last renewed from.', '192.0.2.7'),
    agente: told(string, 'The browser, in its own words.', 'Mozilla/5.0'),
    creada: told(timestamp, 'When it began.', '2026-11-21T09:30:00.000Z'),
    renovada: told(timestamp, 'When it was last renewed.', '2026-11-21T09:30:00.000Z'),
    caduca: told(timestamp, 'When it ends unless it is renewed.', '2026-12-21T09:30:00.000Z'),
    suplantada_por: told(nullable(string), 'The admin who opened it for a customer.', null),
  }),
)

const language = told(v.picklist(['es', 'en']), 'The language of its mails, and of its screens.', 'es')
const ways = {
  idioma: language,
  region: told(nullable(string), 'The country as whose its screens write; null as its browser.', 'ES'),
  zona_horaria: told(nullable(string), 'The zone of its screens; null that of its browser.', 'Europe/Madrid'),
}
export const ownWays = named('Formatos', 'What a person reads in, and how.', v.strictObject(ways))

export const meShape = named(
  'Yo',
  'The person who asks.',
  v.strictObject({
    correo: email('Its address.'),
    rol: told(v.picklist(['admin', 'client']), 'What it may see.', 'admin'),
    cliente: told(nullable(string), "A customer's client.", null),
    estado_cliente: told(nullable(v.picklist(CLIENT_STATES)), 'The state of that client.', null),
    segundo_factor: told(v.boolean(), 'Whether a second factor is enrolled.', true),
    codigos_recuperacion: told(count, 'Recovery codes that are left.', 10),
    tokens: told(v.array(tokenShape), 'API tokens that a change of password or factor revokes.'),
    ...ways,
    suplantada_por: told(nullable(string), "The admin who acts in the customer's place.", null),
  }),
)

/** Answers of the sign-in steps (docs/api.md, "Signing in"). */
const totpShape = named(
  'Totp',
  'A second factor to be enrolled in an authenticator (RFC 6238: SHA-1, six digits, 30 s).',
  v.strictObject({
    secreto: told(string, 'In base32.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
    uri: told(string, 'The same as `otpauth://`, for a QR code.', 'otpauth://totp/panel:ana?secret=JBSWY3DP'),
  }),
)
const stepToken = told(string, 'Good for the next step alone, for ten minutes.', 'cpp_01JD8Z3K9Q')
export const stepShape = named(
  'Paso',
  'The step that completes a sign-in.',
  v.variant('paso', [
    v.strictObject({
      paso: told(v.literal('inscribir'), 'Enrol a second factor first.', 'inscribir'),
      paso_token: stepToken,
      totp: totpShape,
    }),
    v.strictObject({
      paso: told(v.literal('segundo_factor'), 'Send a code of the second factor.', 'segundo_factor'),
      paso_token: stepToken,
    }),
    v.strictObject({
      paso: told(v.literal('elegir'), 'Several logins have this address: name the client.', 'elegir'),
      clientes: told(v.array(string), 'Their clients.', ['acme', 'otra']),
    }),
  ]),
)
/** What a spent link leads to: the next step of a sign-in, or nothing further. */
export const spentShape = named(
  'EnlaceGastado',
  'What a spent link leads to.',
  v.variant('paso', [
    ...stepShape.options,
    v.strictObject({
      paso: told(v.literal('correo_confirmado'), 'The address counts now.', 'correo_confirmado'),
      correo: told(string, 'The address.', 'ana@ejemplo.es'),
    }),
  ]),
)
const sessionBearer = told(string, 'The bearer, good for fifteen minutes.', 'cps_Ab3dE9x2')
const signedInPerson = told(
  v.strictObject({
    correo: email('Its address.'),
    rol: told(v.picklist(['admin', 'client']), 'What it may see.', 'client'),
    cliente: told(nullable(string), "A customer's client.", 'acme'),
  }),
  'Whose session it is.',
)
const bearerEnd = told(timestamp, 'When the bearer ends.', '2026-11-21T09:45:00.000Z')
const recoveryCodes = told(v.array(string), 'Ten codes, each good once, shown this once.', [
  'k7qm-2xvd',
  'p4hw-9rtc',
])
export const recoveryCodesShape = named(
  'CodigosRecuperacion',
  'New recovery codes; the older ones stop working.',
  v.strictObject({ codigos_recuperacion: recoveryCodes }),
)
export const newFactorShape = named(
  'FactorNuevo',
  'A second factor to be confirmed by a code of it.',
  v.strictObject({ paso_token: stepToken, totp: totpShape }),
)
export const signedInShape = named(
  'Entrada',
  'A session that has begun or goes on.',
  v.strictObject({
    sesion: sessionBearer,
    caduca: bearerEnd,
    persona: signedInPerson,
    formatos: ownWays,
    codigos_recuperacion: v.optional(recoveryCodes),
  }),
)
export const impersonationShape = named(
  'Suplantacion',
  "A session on a customer's account.",
  v.strictObject({
    sesion: sessionBearer,
    caduca: bearerEnd,
    persona: signedInPerson,
    formatos: ownWays,
  }),
)

export type TokenView = v.InferOutput<typeof tokenShape>
export type LoginView = v.InferOutput<typeof loginShape>
export type PersonView = v.InferOutput<typeof personShape>
