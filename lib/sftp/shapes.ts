import * as v from 'valibot'
import { SFTP_STATES } from '../../schema/states.ts'
import { domain, named, page, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string, when } from '../endpoint/shapes.ts'

const FINGERPRINT = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'

/** The name of an account as a path holds it. */
export const cuenta = told(
  v.pipe(v.string(), v.regex(/^[a-z0-9](?:[a-z0-9._-]{0,80}[a-z0-9])?$/, 'cuenta_invalida')),
  "The name of an SFTP account: the client's, or that, `_` and up to 16 letters and digits.",
  'acme_tienda',
)

export const sitio = told(domain, 'The only site that it sees, instead of all.', 'ejemplo.es')

const keyShape = v.strictObject({
  huella: told(string, 'Its fingerprint, as OpenSSH shows it.', FINGERPRINT),
  tipo: told(string, 'Its type.', 'ssh-ed25519'),
  comentario: told(string, 'What its owner noted after it.', 'ana@portatil'),
})

export const accountShape = named(
  'CuentaSftp',
  "A login for SFTP. All of a client's are the same Unix user.",
  v.strictObject({
    cuenta: told(string, 'Its name, its key.', 'acme_tienda'),
    sitio: told(nullable(string), "The only site that it sees; null is all of the client's.", null),
    llaves: told(v.array(keyShape), 'The public keys that it signs in with.'),
    contrasena: told(
      nullable(
        v.strictObject({
          creada: told(timestamp, 'When it was made.', '2026-11-21T09:30:00.000Z'),
          ultimo_uso: when('When somebody signed in with it last.'),
        }),
      ),
      'Whether it has a password; never the password.',
    ),
    ultimo_acceso: when('When its last session began.'),
    estado: told(
      v.picklist(SFTP_STATES),
      "`preparando`: its node does not know it yet. `solo_lectura`: the client's space is used up. `bloqueada`: the plan has no SFTP.",
      'activa',
    ),
  }),
)

export type AccountView = v.InferOutput<typeof accountShape>

const serverShape = v.strictObject({
  host: told(string, 'The address to connect to.', 'panel.ejemplo.net'),
  puerto: told(v.number(), 'The port.', 2022),
  huellas: told(v.array(string), 'The fingerprints of its host keys; each is of one of them.', [FINGERPRINT]),
})

const listed = page(accountShape)
export const accountsShape = named(
  'PaginaCuentaSftp',
  'One page of a listing, with where the accounts sign in.',
  v.strictObject({
    ...listed.entries,
    servidor: told(nullable(serverShape), 'Where they sign in; null where the node has no SFTP.'),
  }),
)

/** At most so many keys of an account. */
const KEYS_MAX = 20
export const llaves = told(
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(16_000, 'llave_invalida')), 'tipo_incorrecto'),
    v.maxLength(KEYS_MAX, 'demasiados'),
  ),
  'Public keys as `ssh-keygen` writes them, one a text, without options; they replace those that there were. One that the account has is kept by its `huella` alone.',
  ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3v0p1yVhE8q2m4b7Zr9xTg5sWc1dKf6uPn0aLo2eQi ana@portatil'],
)
