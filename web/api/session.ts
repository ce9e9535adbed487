import { ways } from '../text/format.ts'
import { adoptLanguage, remember, remembered } from '../text/language.ts'
import type { OutputOf } from './operations.ts'
import { createStore } from './store.ts'

export type Person = OutputOf<'POST /acceso/renovar'>['persona']

/**
 * Who is signed in. The bearer lives in this memory alone: a reload has only the renewal cookie, which
 * no script can read.
 */
export type Session =
  | { kind: 'unknown' }
  | { kind: 'out'; why: Why }
  | {
      kind: 'in'
      bearer: string
      expires: number
      person: Person
      admin: Impersonated | null
      /** The panel has ended it: the screen stays, with what was typed on it, until somebody signs in again. */
      lapsed?: true
    }

/** Signed out by hand, by the panel, or never signed in. */
export type Why = 'left' | 'ended' | null

/** While an admin looks at a customer's account: the admin's own session, to come back to. */
type Impersonated = { bearer: string; expires: number; person: Person }

export const session = createStore<Session>({ kind: 'unknown' })

/** How a look at a customer's account came to its end without being ended by hand. */
export type EndedLook = { cliente: string; why: 'reload' | 'time' }

/** In session storage, the name of the customer alone: the bearer dies with the page. */
const LOOK = 'panel.suplantacion'

export const endedLook = createStore<EndedLook | null>(lookBeforeReload())

/** Whether a renewal is worth asking for: a first visit should not begin with a refused request. */
const HINT = 'panel.sesion'
const TABS = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('panel.sesion')

type SignedIn = Pick<OutputOf<'POST /acceso/renovar'>, 'sesion' | 'caduca' | 'persona' | 'formatos'>

export function signIn({ sesion, caduca, persona, formatos }: SignedIn): void {
  remember(HINT, '1')
  ways.set({ region: formatos.region, timeZone: formatos.zona_horaria })
  session.set({
    kind: 'in',
    bearer: sesion,
    expires: new Date(caduca).getTime(),
    person: persona,
    admin: null,
  })
}

/** Somebody has signed in by hand: a browser on which nobody chose a language takes that of the account. */
export function comeIn(answer: SignedIn): void {
  adoptLanguage(answer.formatos.idioma)
  signIn(answer)
}

/** Looks at a customer's account with the session that impersonation answered. */
export function impersonate({ sesion, caduca, persona }: SignedIn): void {
  const now = session.get()
  if (now.kind !== 'in') return
  const { bearer, expires, person } = now.admin ?? now
  endedLook.set(null)
  noteLook(persona.cliente)
  session.set({
    kind: 'in',
    bearer: sesion,
    expires: new Date(caduca).getTime(),
    person: persona,
    admin: { bearer, expires, person },
  })
}

/** Back to the admin's own session; `why` where nobody asked for it. */
export function endImpersonation(why: EndedLook['why'] | null = null): void {
  const now = session.get()
  if (now.kind !== 'in' || !now.admin) return
  const { cliente } = now.person
  noteLook(null)
  endedLook.set(why && cliente ? { cliente, why } : null)
  session.set({ kind: 'in', ...now.admin, admin: null })
}

/** The panel has ended the session: whoever has a screen open signs in again over it. */
export function lapse(): void {
  const now = session.get()
  if (now.kind !== 'in') {
    forget('ended')
    return
  }
  remember(HINT, null)
  session.set({ ...now, lapsed: true })
}

export const hasLapsed = (now: Session): boolean => now.kind === 'in' && now.lapsed === true

/** Forgets the session here, and in every other tab where somebody has signed out. */
export function forget(why: Why): void {
  remember(HINT, null)
  noteLook(null)
  if (why === 'left') TABS?.postMessage('out')
  session.set({ kind: 'out', why })
}

function noteLook(cliente: string | null): void {
  try {
    if (cliente === null) sessionStorage.removeItem(LOOK)
    else sessionStorage.setItem(LOOK, cliente)
  } catch {
    // Where storage is forbidden a reload ends the look without a word, as it ends all else.
  }
}

function lookBeforeReload(): EndedLook | null {
  try {
    const cliente = sessionStorage.getItem(LOOK)
    sessionStorage.removeItem(LOOK)
    return cliente ? { cliente, why: 'reload' } : null
  } catch {
    return null
  }
}

export const mayRenew = (): boolean => remembered(HINT) !== null

TABS?.addEventListener('message', () => {
  if (session.get().kind === 'in') session.set({ kind: 'out', why: 'left' })
})
