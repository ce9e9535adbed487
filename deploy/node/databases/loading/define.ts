import { userName } from '../../users/users.ts'
import { mariadbPlaces } from '../config.ts'
import { rightsOn, userAt } from '../rights.ts'
import { CLIENT_OPTIONS, CLIENT_PROGRAM, feed, SERVER_SOCKET, serverShown } from './feed.ts'
import type { Means } from './means.ts'

/** Never given up: what it is for is either whole or not there. */
const ALWAYS = new AbortController().signal

/** Has a client itself run what defines views, routines and the like in a base, which then belong to it. */
export async function define(
  { directory, administration, users, runCaged }: Means,
  clientId: number,
  { base, sql }: { base: string; sql: string },
): Promise<void> {
  if (sql === '') return
  const user = userName(users, clientId)
  for (const statement of rightsOn(base, userAt(user, 'localhost'), 'lasting'))
    await administration.run(statement)
  const at = [`--socket=${SERVER_SOCKET}`, `--user=${user}`]
  const argv = [CLIENT_PROGRAM, '--no-defaults', ...CLIENT_OPTIONS, ...at, base] as const
  const content = new Blob([sql]).stream()
  const file = { bytes: sql.length, content, close: async () => undefined }
  await feed(
    {
      run: runCaged,
      clientId,
      loader: { argv, shows: [serverShown(mariadbPlaces(directory))] },
      signal: ALWAYS,
    },
    { file, packing: 'none', reached: () => undefined },
  )
}
