import type { InputOf, OutputOf } from './operations.ts'

type NewOptions = OutputOf<'POST /api/yo/llaves-de-acceso/reto'>['opciones']
type SignInOptions = OutputOf<'POST /acceso/llave-de-acceso/reto'>['opciones']
type NewCredential = InputOf<'POST /api/yo/llaves-de-acceso'>['body']['credencial']
type Asserted = InputOf<'POST /acceso/llave-de-acceso'>['body']['credencial']

/** Why no passkey was made or used: the person did not, this device has one, or the page is not of its host. */
export type PasskeyFault = 'left' | 'known' | 'host' | 'failed'

/** The text of each, which every screen that uses passkeys has in words of its own. */
export const FAULT_TEXTS = {
  left: 'passkeyLeft',
  known: 'passkeyKnown',
  host: 'passkeyElsewhere',
  failed: 'passkeyFailed',
} as const satisfies Record<PasskeyFault, string>

/** Loaded when somebody uses a passkey: most do not. */
const library = () => import('@simplewebauthn/browser')

/** Whether this browser knows passkeys. */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

/** Has the browser make a passkey. */
export const makePasskey = (options: NewOptions): Promise<NewCredential | PasskeyFault> =>
  faultOr(async () => {
    const { startRegistration } = await library()
    // The panel makes these options as the standard has them.
    return startRegistration({ optionsJSON: options as never })
  })

/** Has the browser sign in by the passkey that its owner chooses. */
export const choosePasskey = (options: SignInOptions): Promise<Asserted | PasskeyFault> =>
  faultOr(async () => {
    const { startAuthentication } = await library()
    // The panel makes these options as the standard has them.
    return startAuthentication({ optionsJSON: options as never })
  })

/** The credential as the API takes it: without what the browser left undefined. */
async function faultOr<T>(ask: () => Promise<unknown>): Promise<T | PasskeyFault> {
  try {
    // The operation's schema is that of the standard's JSON form.
    return JSON.parse(JSON.stringify(await ask())) as T
  } catch (thrown) {
    return faultOf(nameOf(thrown))
  }
}

/** The library wraps what the browser threw. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return ''
  return thrown.cause instanceof Error ? thrown.cause.name : thrown.name
}

function faultOf(name: string): PasskeyFault {
  if (name === 'NotAllowedError' || name === 'AbortError') return 'left'
  if (name === 'InvalidStateError') return 'known'
  return name === 'SecurityError' ? 'host' : 'failed'
}
