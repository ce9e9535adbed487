import { connect } from 'node:net'
import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { removeFile, writeWhole } from '../host/files.ts'
import type { ServiceDefinition } from '../services/definition.ts'
import { outsideOfUnit } from '../services/launcher.ts'
import { runProgram } from '../services/program.ts'
import { type Places, renderEtc, renderServer, SSHD } from './config.ts'
import launch from './launch.pl' with { type: 'text' }
import password from './password.pl' with { type: 'text' }
import view from './view.pl' with { type: 'text' }

const UNSHARE = '/usr/bin/unshare'
const PERL = '/usr/bin/perl'
const ASK_MS = 15_000
const ANSWER_MS = 3_000

export type SftpOptions = {
  layout: Layout
  /** Local addresses to listen on; empty for all. */
  bind: string[]
  port: number
}

/**
 * OpenSSH as a service of the panel, in a mount namespace of its own, where /etc is a directory of the panel's: its
 * users are the SFTP accounts, and nobody who has an account on the machine itself can sign in here.
 */
export function sftpService({ layout, bind, port }: SftpOptions, places: Places): ServiceDefinition {
  const config = { path: places.config, content: renderServer(places, { bind, port }), mode: 0o600 }
  const launcher = { path: join(places.base, 'launch.pl'), content: launch, mode: 0o600 }
  const argv = [UNSHARE, '--mount', '--propagation', 'private', PERL, launcher.path, layout.base]
  const addresses = bind.length > 0 ? bind : ['0.0.0.0', '::']
  return {
    argv,
    program: SSHD,
    marker: `-f ${places.config}`,
    files: [
      launcher,
      { path: join(places.etc, 'panel', 'password.pl'), content: password, mode: 0o700 },
      // Where pam_namespace(8) looks for it.
      { path: join(places.etc, 'security', 'namespace.init'), content: view, mode: 0o700 },
      ...renderEtc(layout.base).map((file) => ({ ...file, path: join(places.etc, file.name) })),
      config,
    ],
    async check() {
      const candidate = join(places.base, 'candidate')
      writeWhole(launcher, layout.temporary)
      writeWhole({ ...config, path: candidate }, layout.temporary)
      const result = await runProgram(outsideOfUnit([...argv, candidate]))
      removeFile(candidate)
      if (result.code !== 0) throw new Error(`sshd refuses its configuration: ${result.output.slice(0, 500)}`)
    },
    ready: seldom(() => greets(bind[0] ?? '127.0.0.1', port)),
    ports: addresses.map((address) => ({ protocol: 'tcp' as const, address, port })),
    reloadSignal: 'SIGHUP',
    version: sshVersion,
    package: 'openssh-server',
    // Sessions go on while the server is started anew; what ends them is the panel or their client.
    unitProperties: ['KillMode=process', 'NoNewPrivileges=yes', 'TasksMax=4096', 'OOMScoreAdjust=-500'],
  }
}

/** Each question costs the server a process: between two that went well, whether it runs and listens says enough. */
function seldom(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answered = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - answered < ASK_MS) return true
    const answers = await ask()
    answered = answers ? performance.now() : Number.NEGATIVE_INFINITY
    return answers
  }
}

/**
 * Whether the server says its name to who connects (RFC 4253, 4.2), or that too many others of this address are about
 * to sign in: whoever is on this machine can bring that about, and a new start would change nothing.
 */
export function greets(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address === '0.0.0.0' ? '127.0.0.1' : address, port })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(ANSWER_MS, () => end(false))
    socket.on('data', (part) => end(/^(?:SSH-2\.0-|Exceeded MaxStartups)/.test(part.toString('latin1'))))
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
  })
}

async function sshVersion(): Promise<string | null> {
  const { output } = await runProgram([SSHD, '-V'])
  return /OpenSSH_([0-9.]+p?[0-9]*)/.exec(output)?.[1] ?? null
}
