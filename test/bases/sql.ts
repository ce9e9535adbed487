import type { World } from './world.ts'

export type Said = { code: number; out: string; error: string }

/** What MariaDB's client says to these words, run as a Unix user of this machine. */
export async function sql(
  world: Pick<World, 'socket'>,
  as: string | null,
  words: string,
  options: { account?: string; database?: string; args?: string[] } = {},
): Promise<Said> {
  const child = Bun.spawn(
    [
      ...(as === null ? [] : ['setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups', '--']),
      'mariadb',
      '--no-defaults',
      '--default-character-set=utf8mb4',
      '--batch',
      '--skip-column-names',
      `--socket=${world.socket}`,
      `--user=${options.account ?? as ?? 'root'}`,
      ...(options.args ?? []),
      ...(options.database ? [options.database] : []),
    ],
    { stdin: new Blob([words]), stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out: out.trim(), error: error.trim() }
}
