import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { exists, putInPlace, removeFile, removeStale } from '../host/files.ts'
import { runProgram } from '../services/program.ts'
import { HOST_KEYS, type Places } from './config.ts'

const KEYGEN = '/usr/bin/ssh-keygen'

/**
 * Makes missing host keys, and returns the fingerprints of all. Clients recognise the server by them, so they never
 * change.
 */
export async function ensureHostKeys(places: Places): Promise<string[]> {
  const fingerprints: string[] = []
  for (const kind of HOST_KEYS) {
    const path = join(places.hostKeys, kind)
    if (!exists(path)) await makeKey(places, kind, path)
    const told = await keygen(['-l', '-E', 'sha256', '-f', path])
    const found = /SHA256:[A-Za-z0-9+/]{43}/.exec(told)?.[0]
    if (found === undefined) throw new Error(`the host key ${path} cannot be read`)
    fingerprints.push(found)
  }
  return fingerprints
}

async function makeKey(places: Places, kind: string, path: string): Promise<void> {
  removeStale(places.hostKeys)
  const made = join(places.hostKeys, `new-${randomBytes(6).toString('hex')}`)
  await keygen(['-q', '-t', kind, '-N', '', '-C', '', '-f', made])
  putInPlace(made, path)
  removeFile(`${made}.pub`)
}

async function keygen(args: string[]): Promise<string> {
  const { code, output } = await runProgram([KEYGEN, ...args])
  if (code !== 0) throw new Error(`ssh-keygen failed: ${output.slice(0, 200)}`)
  return output
}
