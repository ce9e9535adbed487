import { resolve } from 'node:path'
import { type LibsqlServer, type ServerOptions, startLibsqlServer } from './libsql-server.ts'

/**
 * The libSQL server in a process of its own, for tests that read or write its file beside it: two SQLite
 * libraries in one process share their file locks, and so have none between them (sqlite.org/howtocorrupt).
 */
export async function startLibsqlProcess(
  options: ServerOptions,
): Promise<Pick<LibsqlServer, 'url' | 'token' | 'stop'>> {
  const script = resolve(import.meta.dir, 'libsql-process.ts')
  const child = Bun.spawn(['bun', script, JSON.stringify(options)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  if (!value) throw new Error('the libSQL server did not start')
  const { url, token } = JSON.parse(new TextDecoder().decode(value)) as { url: string; token: string }
  return {
    url,
    token,
    async stop() {
      await child.stdin.end()
      await child.exited
    },
  }
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? '{}') as ServerOptions // Written by the function above.
  const { url, token, stop } = await startLibsqlServer(options)
  process.stdout.write(JSON.stringify({ url, token }))
  // Ends with the test process, however that ends.
  for await (const _ of process.stdin);
  await stop()
  process.exit(0)
}
