import * as v from 'valibot'
import { named, text, told } from '../endpoint/fields.ts'
import { created, string, when } from '../endpoint/shapes.ts'

/** Passkeys as they are sent and returned. What browsers make keeps the names of Web Authentication Level 3. */

export const nombre = told(text(60), 'What its owner calls it, such as the device that holds it.', 'Móvil')

export const passkeyShape = named(
  'LlaveDeAcceso',
  'A passkey, without its key.',
  v.strictObject({
    id: told(string, 'Its key.', 'lla_01JD8Z3K9Q'),
    nombre: told(string, 'What its owner calls it.', 'Móvil'),
    sincronizada: told(
      v.boolean(),
      'Whether the maker of the device keeps a copy, so that the loss of the device is not its end.',
      true,
    ),
    host: told(
      string,
      'The host name of the panel that it was made for; it works under no other.',
      'panel.es',
    ),
    creado: created,
    ultimo_uso: when('When somebody last signed in by it.', '2026-11-21T09:30:00.000Z'),
  }),
)
export type PasskeyView = v.InferOutput<typeof passkeyShape>

const options = (form: string) =>
  told(
    v.record(v.string(), v.unknown()),
    `\`${form}\` of Web Authentication Level 3, for the browser. Its \`challenge\` is good once, for five minutes.`,
    { challenge: 'AQID', timeout: 300_000 },
  )

export const newChallengeShape = named(
  'RetoDeLlave',
  'What a new passkey is to be made with.',
  v.strictObject({ opciones: options('PublicKeyCredentialCreationOptionsJSON') }),
)
export const signInChallengeShape = named(
  'RetoDeEntrada',
  'What a passkey is to sign.',
  v.strictObject({ opciones: options('PublicKeyCredentialRequestOptionsJSON') }),
)

/** An attestation holds a key and a statement, an assertion a signature: neither comes near this. */
const LONGEST = 16_384
const encoded = (what: string) =>
  told(
    v.pipe(
      v.string(),
      v.maxLength(LONGEST, 'demasiado_largo'),
      v.regex(/^[\w-]*$/, 'caracteres_no_admitidos'),
    ),
    `${what}, in base64url.`,
    'AQID',
  )
const word = (what: string, example: string) =>
  told(v.pipe(v.string(), v.maxLength(64, 'demasiado_largo')), what, example)
const credentialId = encoded('Its id, as the authenticator chose it')

const common = {
  id: credentialId,
  rawId: credentialId,
  type: told(v.literal('public-key'), 'Its kind.', 'public-key'),
  authenticatorAttachment: v.optional(word('Where the authenticator is.', 'platform')),
  clientExtensionResults: v.optional(
    told(v.record(v.string(), v.unknown()), 'What extensions answered; not used.', {}),
  ),
}
const clientDataJSON = encoded('What the browser says about the request')

export const newCredential = named(
  'CredencialNueva',
  'The `RegistrationResponseJSON` of Web Authentication Level 3 that the browser made.',
  v.strictObject({
    ...common,
    response: told(
      v.strictObject({
        clientDataJSON,
        attestationObject: encoded('The public key and what the authenticator says about it'),
        transports: v.optional(
          told(
            v.pipe(v.array(word('A way.', 'internal')), v.maxLength(10, 'demasiados')),
            'How browsers reach the authenticator.',
            ['internal'],
          ),
        ),
        authenticatorData: v.optional(encoded('A part of `attestationObject`; not used')),
        publicKey: v.optional(encoded('Another form of the public key; not used')),
        publicKeyAlgorithm: v.optional(told(v.number(), 'The kind of the public key; not used.', -7)),
      }),
      'What the authenticator answered.',
    ),
  }),
)
export type NewCredential = v.InferOutput<typeof newCredential>

export const assertedCredential = named(
  'CredencialDeEntrada',
  'The `AuthenticationResponseJSON` of Web Authentication Level 3 that the browser made.',
  v.strictObject({
    ...common,
    response: told(
      v.strictObject({
        clientDataJSON,
        authenticatorData: encoded('What the authenticator says about itself'),
        signature: encoded('Its signature of both'),
        userHandle: v.optional(encoded('Whose passkey it is')),
      }),
      'What the authenticator answered.',
    ),
  }),
)
export type AssertedCredential = v.InferOutput<typeof assertedCredential>
