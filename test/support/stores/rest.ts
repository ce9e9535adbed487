import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { eventually } from '../wait.ts'

/** A REST server for restic, by rclone: Debian has no rest-server. */
export async function startRest() {
  const directory = mkdtempSync(join(tmpdir(), 'rest-'))
  const port = await freePort()
  const argv = ['rclone', 'serve', 'restic', '--addr', `127.0.0.1:${port}`, '--user', 'panel', '--pass', 'x1']
  const server = Bun.spawn([...argv, directory], { stdout: 'ignore', stderr: 'ignore' })
  const url = `http://127.0.0.1:${port}/`
  await eventually(() => fetch(url).then(Boolean, () => false), 'the REST server', 60_000)
  return {
    url: `${url}node1`,
    credential: 'panel:x1',
    async stop() {
      server.kill()
      await server.exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
