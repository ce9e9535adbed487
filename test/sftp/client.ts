import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eventually } from '../support/wait.ts'

export type Ran = { code: number; out: string }

/** How a client signs in: with a password, or with a key file. */
export type Login = { account: string; password?: string; key?: string; address?: string; agent?: string }

const scratch = mkdtempSync(join(tmpdir(), 'sftp-client-'))
let made = 0

/** A file of the customer's own machine. */
export function localFile(content: string | Uint8Array): string {
  made += 1
  const path = join(scratch, `file-${made}`)
  writeFileSync(path, content, { mode: 0o644 })
  return path
}

/** A folder of the customer's own machine with these files. */
export function localFolder(files: Record<string, string>): string {
  made += 1
  const path = join(scratch, `folder-${made}`)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content, { mode: 0o644 })
  }
  return path
}

/** A key pair by OpenSSH's own program; answers the private file and the public line. */
export async function keyPair(...kind: string[]): Promise<{ file: string; line: string }> {
  made += 1
  const file = join(scratch, `key-${made}`)
  await run(['ssh-keygen', '-q', '-N', '', '-C', 'ana@portatil', '-f', file, ...kind])
  return { file, line: readFileSync(`${file}.pub`, 'utf8').trim() }
}

/** An agent of the customer's own machine, by its socket. */
export async function startAgent() {
  made += 1
  const socket = join(scratch, `agent-${made}`)
  const child = Bun.spawn(['ssh-agent', '-D', '-a', socket], { stdout: 'ignore', stderr: 'ignore' })
  await eventually(async () => existsSync(socket), 'an agent')
  return { socket, stop: () => child.kill() }
}

/** Programs of customers against the SSH server of a panel. */
export function clientsOf(port: number) {
  const options = (login: Login) =>
    [
      ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', `Port=${port}`],
      ...[
        'BatchMode=no',
        'NumberOfPasswordPrompts=1',
        'ConnectTimeout=20',
        'IdentitiesOnly=yes',
        `IdentityAgent=${login.agent ?? 'none'}`,
      ],
      ...(login.key
        ? [`IdentityFile=${login.key}`, 'PasswordAuthentication=no']
        : ['PubkeyAuthentication=no']),
      ...(login.address ? [`BindAddress=${login.address}`] : []),
    ].flatMap((option) => ['-o', option])
  const argv = (program: string, login: Login, rest: string[]) => [
    ...(login.password === undefined ? [] : ['sshpass', '-p', login.password]),
    program,
    ...options(login),
    ...rest,
  ]
  return {
    /** Commands of OpenSSH's sftp, one a line; one that fails does not end it where it begins with `-`. */
    sftp: (login: Login, ...commands: string[]): Promise<Ran> =>
      run(argv('sftp', login, ['-b', '-', `${login.account}@127.0.0.1`]), commands.join('\n')),
    /** OpenSSH's ssh with these arguments after its options. */
    ssh: (login: Login, before: string[], after: string[] = []): Promise<Ran> =>
      run(argv('ssh', login, [...before, `${login.account}@127.0.0.1`, ...after])),
    scp: (login: Login, before: string[], from: string, to: string): Promise<Ran> =>
      run(argv('scp', login, [...before, from, `${login.account}@127.0.0.1:${to}`])),
    /** A session that stays open until it is ended from elsewhere; it has been greeted (SSH_FXP_INIT, version 3). */
    async open(login: Login, before: string[] = []) {
      const child = Bun.spawn(argv('ssh', login, [...before, '-s', `${login.account}@127.0.0.1`, 'sftp']), {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      child.stdin.write(new Uint8Array([0, 0, 0, 5, 1, 0, 0, 0, 3]))
      await child.stdin.flush()
      const greeted = await child.stdout.getReader().read()
      if (greeted.done) throw new Error(`no session: ${await new Response(child.stderr).text()}`)
      return { exited: child.exited, alive: () => child.exitCode === null, stop: () => child.kill() }
    },
    lftp: (login: Login, ...commands: string[]): Promise<Ran> =>
      run([
        'lftp',
        '-c',
        [
          // Its own programs would note the key of this port in root's home, where another run meets it.
          'set sftp:connect-program "ssh -a -x -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"',
          'set sftp:auto-confirm yes; set net:max-retries 1; set net:timeout 20; set cmd:fail-exit yes',
          `open -u ${login.account},${login.password} sftp://127.0.0.1:${port}`,
          ...commands,
        ].join('; '),
      ]),
  }
}

async function run(argv: string[], input = ''): Promise<Ran> {
  const child = Bun.spawn(argv, {
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', HOME: scratch, DISPLAY: ':7' },
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out: out + err }
}
