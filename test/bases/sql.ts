import type { World } from './world.ts'

export type Said = { code: number; out: string; error: string }

type Options = { account?: string; database?: string; args?: string[] }

const argvOf = (world: Pick<World, 'socket'>, as: string | null, options: Options): string[] => [
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
]

/** A session that stays after these words, and says nothing more until `ended` is asked. */
export async function stays(world: Pick<World, 'socket'>, as: string, words: string, options: Options = {}) {
  const args = ['--unbuffered', ...(options.args ?? [])]
  const child = Bun.spawn(argvOf(world, as, { ...options, args }), {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
  })
  child.stdin.write(`${words}\nselect 'stays';\n`)
  await child.stdin.flush()
  const reader = child.stdout.getReader()
  for (let said = ''; !said.includes('stays'); ) {
    const { done, value } = await reader.read()
    if (done) throw new Error(await new Response(child.stderr).text())
    said += new TextDecoder().decode(value)
  }
  return {
    /** Whether its session is there still, by a statement more. */
    async ends(): Promise<boolean> {
      child.stdin.write("select 'goes on';\n")
      await child.stdin.end()
      return (await child.exited) !== 0
    },
    async leave(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** What MariaDB's client says to these words, run as a Unix user of this machine. */
export async function sql(
  world: Pick<World, 'socket'>,
  as: string | null,
  words: string,
  options: Options = {},
): Promise<Said> {
  const child = Bun.spawn(argvOf(world, as, options), {
    stdin: new Blob([words]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out: out.trim(), error: error.trim() }
}
