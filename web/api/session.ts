import { remember, remembered } from '../i18n/language.ts'
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
  | { kind: 'in'; bearer: string; expires: number; person: Person; admin: Impersonated | null }

/** Signed out by hand, by the panel, or never signed in. */
export type Why = 'left' | 'ended' | null

/** While an admin looks at a customer's account: the admin's own session, to come back to. */
export type Impersonated = { bearer: string; expires: number; person: Person }

export const session = createStore<Session>({ kind: 'unknown' })

/** Whether a renewal is worth asking for: a first visit should not begin with a refused request. */
const HINT = 'panel.sesion'
const TABS = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('panel.sesion')

type SignedIn = Pick<OutputOf<'POST /acceso/renovar'>, 'sesion' | 'caduca' | 'persona'>

export function signIn({ sesion, caduca, persona }: SignedIn): void {
  remember(HINT, '1')
  session.set({
    kind: 'in',
    bearer: sesion,
    expires: new Date(caduca).getTime(),
    person: persona,
    admin: null,
  })
}

/** Looks at a customer's account with the session that impersonation answered. */
export function impersonate({ sesion, caduca, persona }: SignedIn): void {
  const now = session.get()
  if (now.kind !== 'in') return
  const { bearer, expires, person } = now.admin ?? now
  session.set({
    kind: 'in',
    bearer: sesion,
    expires: new Date(caduca).getTime(),
    person: persona,
    admin: { bearer, expires, person },
  })
}

/** Back to the admin's own session. */
export function endImpersonation(): void {
  const now = session.get()
  if (now.kind === 'in' && now.admin) session.set({ kind: 'in', ...now.admin, admin: null })
}

/** Forgets the session here and in every other tab. */
export function forget(why: Why): void {
  remember(HINT, null)
  TABS?.postMessage('out')
  session.set({ kind: 'out', why })
}

export const mayRenew = (): boolean => remembered(HINT) !== null

TABS?.addEventListener('message', () => {
  if (session.get().kind === 'in') session.set({ kind: 'out', why: 'left' })
})
