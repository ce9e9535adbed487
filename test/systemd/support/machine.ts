import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { eventually } from '../../support/wait.ts'

const ROOT = resolve(import.meta.dir, '../../..')
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const UNITS = ['nginx', 'pdns', 'php8.2-fpm']
/** Of version 1: these systemd-nspawn shows to a machine, but read only. */
const CONTROLLERS = ['memory', 'cpu', 'pids', 'freezer']
const WRITABLE_CONTROLLERS = `[Unit]
DefaultDependencies=no
Before=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'for one in ${CONTROLLERS.join(' ')}; do mount -o remount,rw,bind /sys/fs/cgroup/$$one; done; true'
`
const BOOT_MS = 90_000
const CHECKOUT_MAX = 256 * 1024 * 1024

export type Ran = { status: number; output: string; error: string }

/**
 * A machine with a systemd of its own: this machine's root with what is changed kept in memory, processes,
 * mounts, network and host name of its own. Nothing outside is touched, and it ends with the test's process.
 */
export class Machine {
  /** Its address; this machine reaches every port of it there. */
  readonly address: string
  /** This machine's address on the network between the two. */
  readonly outside: string
  /** Its root directory, to be used through `path`. */
  readonly #directory: string
  readonly #name: string
  readonly #keeper: Bun.Subprocess<'pipe', 'pipe', 'inherit'>
  #console: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null
  #booted = false

  private constructor(
    directory: string,
    [outside, address]: [string, string],
    keeper: Bun.Subprocess<'pipe', 'pipe', 'inherit'>,
  ) {
    this.#directory = directory
    this.#name = basename(directory)
    this.address = address
    this.outside = outside
    this.#keeper = keeper
  }

  /** Makes and boots one; throws with the reason where this machine cannot hold it. */
  static async boot(): Promise<Machine> {
    if (process.getuid?.() !== 0) throw new Error('a machine of its own takes root')
    const directory = mkdtempSync(join(tmpdir(), 'cp'))
    // 198.18.0.0/15 is for tests between networks (RFC 2544).
    const block = Math.floor(Math.random() * 32_768) * 4
    const at = (host: number) => `198.${18 + (block >> 16)}.${(block >> 8) & 255}.${(block & 255) + host}`
    const flags = ['--mount', '--pid', '--net', '--fork', '--kill-child', '--mount-proc']
    const script = join(import.meta.dir, 'keeper.sh')
    const keeper = Bun.spawn(['unshare', ...flags, '/bin/sh', script, directory, downloadedPackages()], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const { value } = await keeper.stdout.getReader().read()
    if (value === undefined) {
      rmdirSync(directory)
      throw new Error('this machine lets nobody make mounts, processes and networks apart')
    }
    const machine = new Machine(directory, [at(1), at(2)], keeper)
    try {
      machine.#connect(at(1))
      machine.#furnish()
      await machine.start()
    } catch (error) {
      await machine.remove()
      throw error
    }
    return machine
  }

  /** Where one of its files is found from here. */
  path(path: string): string {
    const init = this.#init()
    return init === null
      ? `/proc/${this.#child()}/root${this.#directory}/root${path}`
      : `/proc/${init}/root${path}`
  }

  /** Writes one of its files, which others may read. */
  write(path: string, content: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), content, { mode: 0o644 })
  }

  /** Puts a copy of this checkout into it, without what is made from it. */
  checkout(path: string): void {
    mkdirSync(this.path(path), { recursive: true })
    const left = ['.git', 'node_modules', '.tools', 'data', 'web/dist'].map((name) => `--exclude=./${name}`)
    const packed = Bun.spawnSync(['tar', '-C', ROOT, ...left, '-cf', '-', '.'], { maxBuffer: CHECKOUT_MAX })
    must(['tar', '-C', this.path(path), '-xf', '-'], packed.stdout)
  }

  /** Switches it on, and waits until systemd has started everything. */
  async start(): Promise<void> {
    const quiet = [
      '--register=no',
      '--keep-unit',
      '--console=pipe',
      '--resolv-conf=off',
      '--timezone=off',
      '--link-journal=no',
    ]
    const inKeeper = ['nsenter', '-t', String(this.#child()), '--mount', '--pid']
    const nspawn = [
      'systemd-nspawn',
      '--boot',
      '--directory',
      `${this.#directory}/root`,
      `--machine=${this.#name}`,
    ]
    // Control groups of its own, so that two such machines have nothing in common.
    const apart =
      'for group in "$@"; do [ "$group" != -- ] || break; echo $$ >"$group/cgroup.procs"; shift; done; shift; exec "$@"'
    this.#console = Bun.spawn(
      [
        '/bin/sh',
        '-c',
        apart,
        'sh',
        ...this.#groups(),
        '--',
        ...inKeeper,
        ...nspawn,
        ...quiet,
        '--network-namespace-path=/proc/1/ns/net',
        // As a machine has it: cages without a network need it to make their own loopback.
        '--capability=CAP_NET_ADMIN',
      ],
      {
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        // Its network's settings are its own, as on a machine.
        env: { PATH, SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'network' },
      },
    )
    const ended = this.#console.exited.then(() => 'ended')
    const up = eventually(
      async () =>
        this.#init() !== null && /running|degraded/.test(this.run('systemctl', 'is-system-running').output),
      'systemd',
      BOOT_MS,
    )
    up.catch(() => undefined)
    if ((await Promise.race([up, ended])) === 'ended') {
      throw new Error(`systemd-nspawn ended: ${await new Response(this.#console.stderr).text()}`)
    }
    this.#booted = true
  }

  /** Switches it off as an operator would. */
  async powerOff(): Promise<void> {
    this.#booted = false
    this.run('systemctl', 'poweroff')
    await this.#console?.exited
  }

  /** Runs a program in it, as root in a session of its own. */
  run(...argv: string[]): Ran {
    const result = Bun.spawnSync([...this.#enter(), ...argv], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return { status: result.exitCode, output: result.stdout.toString(), error: result.stderr.toString() }
  }

  /** The same without keeping this process from what else it does. */
  async runs(...argv: string[]): Promise<Ran> {
    const child = this.spawn(...argv)
    const [output, error, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, output, error }
  }

  /** Starts a program in it and leaves it running. */
  spawn(...argv: string[]) {
    return Bun.spawn([...this.#enter(), ...argv], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  }

  /** One property of a unit, as systemd tells it. */
  unit(unit: string, property: string): string {
    return this.run('systemctl', 'show', `--property=${property}`, '--value', unit).output.trim()
  }

  /** Ends it and all that it held. */
  async remove(): Promise<void> {
    if (this.#booted) await this.powerOff()
    this.#keeper.stdin.end()
    await this.#keeper.exited
    for (const group of this.#groups()) removeGroup(group)
    rmdirSync(this.#directory)
  }

  #connect(here: string): void {
    const [outside, inside] = [
      this.#name.slice(0, 14).toLowerCase(),
      `${this.#name.slice(0, 13).toLowerCase()}i`,
    ]
    const apart = ['nsenter', '-t', String(this.#child()), '--net']
    must([
      'ip',
      'link',
      'add',
      outside,
      'type',
      'veth',
      'peer',
      'name',
      inside,
      'netns',
      String(this.#child()),
    ])
    must(['ip', 'address', 'add', `${here}/30`, 'dev', outside])
    must(['ip', 'link', 'set', outside, 'up'])
    must([...apart, 'ip', 'address', 'add', `${this.address}/30`, 'dev', inside])
    must([...apart, 'ip', 'link', 'set', inside, 'up'])
  }

  /** As a fresh Debian with the packages installed: their units start, nothing else does, no panel was ever there. */
  #furnish(): void {
    const system = this.path('/etc/systemd/system')
    for (const name of readdirSync(system)) {
      if (/\.wants$|^controlpanel/.test(name)) rmSync(join(system, name), { recursive: true })
    }
    mkdirSync(join(system, 'multi-user.target.wants'))
    for (const unit of UNITS) {
      rmSync(join(system, `${unit}.service`), { force: true })
      must(['ln', '-s', `/lib/systemd/system/${unit}.service`, join(system, 'multi-user.target.wants/')])
    }
    writeFileSync(join(system, 'controllers.service'), WRITABLE_CONTROLLERS)
    must(['ln', '-s', '/etc/systemd/system/controllers.service', join(system, 'multi-user.target.wants/')])
    // Nor is there a Bun, which the installation has to bring.
    const buns = ['/usr/local/bin', '/usr/bin'].flatMap((bin) => [`${bin}/bun`, `${bin}/bunx`])
    for (const path of [
      '/opt/controlpanel',
      '/etc/controlpanel.env',
      '/root/.npmrc',
      '/root/.npm',
      ...buns,
    ]) {
      rmSync(this.path(path), { recursive: true, force: true })
    }
    writeFileSync(this.path('/etc/machine-id'), '')
    // Written anew, they no longer follow what happens on this machine meanwhile.
    for (const name of ['passwd', 'group', 'shadow', 'gshadow']) {
      writeFileSync(this.path(`/etc/${name}`), readFileSync(this.path(`/etc/${name}`)))
    }
  }

  /** The process that unshare has made in the new surroundings. */
  #child(): number {
    const found = readFileSync(`/proc/${this.#keeper.pid}/task/${this.#keeper.pid}/children`, 'utf8').trim()
    if (found === '') throw new Error('the machine has ended')
    return Number(found.split(' ')[0])
  }

  /** Its first process, which systemd-nspawn puts below a control group of this name; null while there is none. */
  #init(): number | null {
    const [group = ''] = this.#groups()
    const path = join(group, 'payload/init.scope/cgroup.procs')
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) || null : null
  }

  #enter(): string[] {
    const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root', '--wd']
    return [
      'nsenter',
      '-t',
      String(this.#init()),
      ...spaces,
      'env',
      '-i',
      `PATH=${PATH}`,
      'HOME=/root',
      'TERM=dumb',
    ]
  }

  /** Of control groups' two versions, where systemd keeps its units on this machine, and what limits them. */
  #groups(): string[] {
    const parents = ['unified', 'systemd', '', ...CONTROLLERS].map((name) => join('/sys/fs/cgroup', name))
    const found = parents.filter((parent) => existsSync(join(parent, 'cgroup.procs')))
    const groups = found.map((parent) => join(parent, `controlpanel-${this.#name}`))
    for (const group of groups) mkdirSync(group, { recursive: true })
    return groups
  }
}

/** Where Bun keeps the packages of this checkout that it has downloaded. */
function downloadedPackages(): string {
  const work = mkdtempSync(join(tmpdir(), 'packages-'))
  for (const name of ['package.json', 'bun.lock']) copyFileSync(join(ROOT, name), join(work, name))
  // What an installation needs is all there after one; where it is already, nothing is downloaded.
  must(['bun', 'install', '--cwd', work, '--frozen-lockfile', '--silent', '--production'])
  rmSync(work, { recursive: true })
  return must(['bun', 'pm', 'cache'])
}

function must(argv: string[], stdin: Buffer | 'ignore' = 'ignore'): string {
  const result = Bun.spawnSync(argv, { stdin, stdout: 'pipe', stderr: 'pipe' })
  if (result.exitCode !== 0) throw new Error(`${argv[0]} failed: ${result.stderr.toString()}`)
  return result.stdout.toString()
}

function removeGroup(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(path, entry.name))
  }
  rmdirSync(path)
}
