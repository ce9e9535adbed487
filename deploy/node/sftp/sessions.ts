import { realpathSync } from 'node:fs'
import {
  commandLine,
  executable,
  findProcesses,
  isCaged,
  type ProcessState,
  signal,
  waitUntil,
} from '../services/process.ts'
import { SSHD } from './config.ts'

const END_MS = 3_000

/** Ends the sessions of these accounts, also those that are just signing in. Throws when one survives. */
export async function endSessions(accounts: readonly string[]): Promise<void> {
  if (accounts.length === 0) return
  const ended = await waitUntil(
    () => {
      const left = sessionsOf(accounts)
      for (const one of left) signal(one, 'SIGKILL')
      return left.length === 0
    },
    { timeoutMs: END_MS },
  )
  if (!ended) throw new Error(`sessions of ${accounts.join(', ')} do not end`)
}

/**
 * By the server's own word for whom a process of its works, which it says as soon as it knows. No program of a
 * customer's runs in a session. One in a cage that calls itself so is none: begun again and again, it would keep any
 * other client from being changed or suspended.
 */
function sessionsOf(accounts: readonly string[]): ProcessState[] {
  const program = realpathSync(SSHD)
  const names = new Set(accounts)
  return findProcesses((found) => {
    const { pid } = found
    const [, name] = /^sshd: ([a-z0-9][a-z0-9._-]*)(?:@| |$)/.exec(commandLine(pid)) ?? []
    return (
      name !== undefined &&
      names.has(name) &&
      [program, `${program} (deleted)`].includes(executable(pid) ?? '') &&
      !isCaged(found)
    )
  })
}
