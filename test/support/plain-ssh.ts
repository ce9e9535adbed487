import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import { eventually } from './wait.ts'

/** An OpenSSH server as Debian has it, into which root signs in with this key; what SFTP costs without the panel. */
export async function plainSsh(publicKey: string) {
  const directory = mkdtempSync(join(tmpdir(), 'plain-ssh-'))
  const port = await freePort()
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const host = join(directory, 'host')
  const makeKey = () => Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', host])
  makeKey()
  writeFileSync(join(directory, 'keys'), `${publicKey}\n`, { mode: 0o600 })
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${host}`,
    `AuthorizedKeysFile ${join(directory, 'keys')}`,
    ...['PermitRootLogin yes', 'StrictModes no', 'UsePAM no', 'PidFile none'],
    'Subsystem sftp internal-sftp',
  ]
  writeFileSync(join(directory, 'config'), `${config.join('\n')}\n`)
  const start = () =>
    Bun.spawn(['/usr/sbin/sshd', '-D', '-f', join(directory, 'config')], { stderr: 'ignore' })
  let server = start()
  const answers = async () => {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => null)
    socket?.end()
    return socket !== null
  }
  await eventually(answers, 'the plain server')
  const stop = async () => {
    server.kill()
    await server.exited
  }
  return {
    port,
    directory,
    stop,
    /** Another server takes its place: it has a key of its own. */
    async replace() {
      await stop()
      for (const path of [host, `${host}.pub`]) rmSync(path)
      makeKey()
      server = start()
      await eventually(answers, 'the other server')
    },
  }
}
