import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** What the programs that the node starts see: nothing of the panel's own environment, which holds secrets. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }
const OUTPUT_MAX = 64 * 1024
const TIMEOUT_MS = 60_000

export type ProgramResult = { code: number; output: string }

/**
 * Runs a program to its end, without a shell. `code` is its exit code, or -1 when it could not start, was
 * killed or took too long (a minute, unless told otherwise); `output` is both of its streams, at most 64 KiB.
 */
export function runProgram(
  argv: string[],
  options: { timeoutMs?: number | null } = {},
): Promise<ProgramResult> {
  const [file, ...rest] = argv
  const { timeoutMs = TIMEOUT_MS } = options
  if (file === undefined || !file.startsWith('/')) throw new TypeError('a program is named by its whole path')
  return new Promise((resolve) => {
    const child = spawn(file, rest, {
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
      killSignal: 'SIGKILL',
    })
    let output = ''
    const collect = (part: Buffer) => {
      if (output.length < OUTPUT_MAX) output += part.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: -1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? -1, output }))
  })
}

/** What a program writes, for a reader who may come late: what one that has ended wrote is thrown away where nobody listens. */
export function heldParts(output: Readable): AsyncIterator<Buffer> {
  output.on('readable', () => {})
  return output[Symbol.asyncIterator]()
}
