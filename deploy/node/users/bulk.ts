import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../services/program.ts'
import { ownerOf, type UserRange, userName, usersIn } from './users.ts'

const PROGRAM = fileURLToPath(new URL('./add-users.pl', import.meta.url))
/** Their command line stays far below what the kernel takes (execve(2)). */
const AT_ONCE = 2_000

/**
 * Makes the users of many clients at once, as a new machine has none of them. Clients of whose user anything exists
 * already are left to `ensureUser`, and so are all when this fails.
 */
export async function addUsers(
  range: UserRange,
  homeOf: (clientId: number) => string,
  clientIds: number[],
): Promise<void> {
  const files = await Promise.all(['/etc/passwd', '/etc/group'].map((path) => readFile(path, 'utf8')))
  const there = files.flatMap(usersIn)
  const names = new Set(there.map(({ name }) => name))
  const numbers = new Set(there.map(({ uid }) => uid))
  const absent = clientIds
    .filter((clientId) => !names.has(userName(range, clientId)) && !numbers.has(ownerOf(range, clientId).uid))
    .sort((a, b) => a - b)
  while (absent.length > 0) {
    const users = absent
      .splice(0, AT_ONCE)
      .map((clientId) =>
        [userName(range, clientId), ownerOf(range, clientId).uid, homeOf(clientId)].join(':'),
      )
    await runProgram(['/usr/bin/perl', PROGRAM, ...users])
  }
}
