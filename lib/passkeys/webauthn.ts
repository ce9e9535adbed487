import type { PanelConfig } from '../endpoint/context.ts'
import type { Asserted, Made, Passkey } from './decide.ts'
import type { AssertedCredential, NewCredential } from './shapes.ts'

type Config = Pick<PanelConfig, 'origin'>
/** `name`: by which the browser lets the person choose. */
type Owner = { id: string; name: string }
type Known = Pick<Passkey, 'credentialId' | 'transports'>

/** For as long the browser waits for the person, and the challenge is good. */
export const CHALLENGE_MS = 5 * 60_000
/** Ed25519, ECDSA on P-256, and RSA (RFC 9053, RFC 8812), which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257]

/**
 * The library is loaded at its first use: starting the panel or a command does not wait for it.
 * Both of its verifications throw for anything that is wrong; what it was does not matter to the caller.
 */
const library = async () => {
  await polyfill()
  return import('@simplewebauthn/server')
}
const helpers = async () => {
  await polyfill()
  return import('@simplewebauthn/server/helpers')
}

/** tsyringe, which the library's certificates use, needs this before it; a bundle leaves the library's own import out. */
const polyfill = () => import('reflect-metadata')

/** The host name that passkeys are made for (the RP ID); null for an address, which browsers make none for. */
export function relyingHost({ origin }: Config): string | null {
  const { hostname } = new URL(origin)
  return /^\[|^\d+(?:\.\d+){3}$/.test(hostname) ? null : hostname
}

/** What a browser is to make a new passkey with: stored in the authenticator, and opened by its owner alone. */
export async function creationOptions(
  challenge: Uint8Array,
  { host, owner, known }: { host: string; owner: Owner; known: Known[] },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: host,
    rpName: `Panel ${host}`,
    userID: new TextEncoder().encode(owner.id),
    userName: owner.name,
    userDisplayName: owner.name,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      // Browsers ignore values that they do not know.
      transports: transports as 'internal'[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser is to have signed: by whichever passkey of this panel its owner chooses. */
export async function requestOptions(challenge: Uint8Array, host: string) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: [],
  })
}

/** The challenge that a browser says it answers; null where it says nothing that can be read. */
export async function challengeIn(credential: {
  response: { clientDataJSON: string }
}): Promise<string | null> {
  try {
    const { decodeClientDataJSON } = await helpers()
    const { challenge, crossOrigin } = decodeClientDataJSON(credential.response.clientDataJSON)
    // No page of the panel may be framed, so one that is framed by another site is not the panel's.
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null
  } catch {
    return null
  }
}

/** What a new credential is, if it answers this challenge for this panel with its owner verified; else null. */
export async function verifyNew(
  config: Config,
  { id, rawId, type, response }: NewCredential,
  challenge: string,
): Promise<Made | null> {
  const host = relyingHost(config)
  if (host === null) return null
  try {
    const { clientDataJSON, attestationObject, transports } = response
    if (!(await isUncertified(attestationObject))) return null
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: config.origin,
      expectedRPID: host,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!made || made.credential.id !== id) return null
    const { publicKey, counter } = made.credential
    return {
      credentialId: id,
      publicKey,
      counter,
      synced: made.credentialBackedUp,
      transports: transports ?? [],
    }
  } catch {
    return null
  }
}

/** What the authenticator of a passkey says, if it signed this challenge for this panel and its owner; else null. */
export async function verifyAsserted(
  config: Config,
  { id, rawId, type, response }: AssertedCredential,
  { passkey, challenge }: { passkey: Passkey; challenge: string },
): Promise<Asserted | null> {
  const host = relyingHost(config)
  if (host === null) return null
  try {
    const [{ verifyAuthenticationResponse }, { isoBase64URL }] = await Promise.all([library(), helpers()])
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    if (userHandle !== isoBase64URL.fromUTF8String(passkey.personId)) return null
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: config.origin,
      expectedRPID: host,
      requireUserVerification: true,
      // `counterGoesOn` judges the counter.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    })
    if (!verified) return null
    return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  } catch {
    return null
  }
}

/**
 * Whether no maker vouches for the authenticator, as was asked for. Checking a maker's certificates would have the
 * panel fetch addresses that the certificates name.
 */
async function isUncertified(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}
