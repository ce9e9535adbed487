import { createStore } from './store.ts'

/** Whether the last request reached the panel. */
export const connection = createStore<'there' | 'lost'>('there')

export function noteConnection(now: 'there' | 'lost'): void {
  if (connection.get() !== now) connection.set(now)
}

/** A proxy's word that nothing answers behind it. */
export const isOutage = (status: number): boolean => status === 502 || status === 504

/** Asks whether the panel answers again; `/salud` takes no bearer. */
export async function lookForPanel(): Promise<boolean> {
  try {
    const { status } = await fetch('/salud', { cache: 'no-store', credentials: 'omit' })
    return !isOutage(status)
  } catch {
    return false
  }
}
