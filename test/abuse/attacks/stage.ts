import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveNative, quoted } from '../../support/native.ts'
import type { Json } from '../../support/panel.ts'

type Ran = { status: number; output: string; error: string }
/** A client with one site, as root on its machine names what is its own. */
export type Site = { client: string; clientId: number; host: string; root: string; uid: number; gid: number }
type Api = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Json }>

/** A machine with a panel that runs as root, with or without systemd. */
export type Machine = {
  /** Where one of its files is found by the test. */
  at(path: string): string
  /** Runs a program there as root. */
  run(...argv: string[]): Ran
  visit(site: Site, path: string, body?: string): Promise<string>
  api: Api
  site(client: string, extra?: Record<string, unknown>): Promise<Site>
  /** Ends the panel as a crash would; where nothing starts it again, the test does. */
  killPanel(): Promise<void>
  /** What does not answer as it should: the panel, a page, a program, a name. */
  faults(): Promise<string[]>
  /** The panel's data, its sites and its name server's. */
  data: string
  web: string
  dns: string
  ports: { panel: number; http: number; https: number; dns: number }
  /** What the panel was told in its environment, and nobody else may know. */
  told: string
}

/** A machine with the one who attacks and the one who is to be left alone. */
export type Stage = Machine & {
  attacker: Site
  victim: Site
  /** What the victim's files hold, and the attacker's own. */
  secret: string
  own: string
  /** Two that nobody uses begin here. */
  port: number
}

export type Attack = {
  /** A sentence that is false when the attack succeeds. */
  name: string
  first?(stage: Stage): Promise<unknown> | unknown
  /** An order of a shell, run natively as the attacker in its document root. */
  order?(stage: Stage): string
  /** Or a program of PHP. */
  php?(stage: Stage): string
  /** What it prints when it reached what is its own, or tried: without it the attack has shown nothing. */
  can: string | RegExp
  /** What it may not print. The victim's secret and the panel's never. */
  never?: RegExp
  /** Of what `never` forbids, lines that it may print. */
  except?: RegExp | ((stage: Stage) => RegExp)
  /** What has to be seen from outside afterwards. */
  outside?(stage: Stage, told: string): Promise<void> | void
}

const NATIVE = join(import.meta.dir, 'native')
const PROGRAMS = ['take', 'kernel', 'port', 'squat', 'stay', 'spend']
const SCRIPTS = ['leave.pl', 'gather.pl', 'forge.pl']
const SECONDS = 12

/** Makes the two of them, with all that a careless customer leaves open. */
export async function setStage(machine: Machine, plan: Record<string, number>): Promise<Stage> {
  const made = await machine.api('POST', '/planes', { plan: 'atado', ...plan })
  if (made.status !== 201) throw new Error(`no plan: ${JSON.stringify(made.body)}`)
  const attacker = await machine.site('ataca', { plan: 'atado' })
  const victim = await machine.site('victima')
  const stage: Stage = {
    ...machine,
    attacker,
    victim,
    secret: `canario-${randomBytes(8).toString('hex')}`,
    own: `propio-${randomBytes(8).toString('hex')}`,
    port: 20_000 + (process.pid % 5_000),
  }
  for (const [site, secret] of [
    [attacker, stage.own],
    [victim, stage.secret],
  ] as const) {
    arm(stage, site)
    give(stage, site, 'libre/abierto.txt', secret, 0o666)
    give(stage, site, 'datos.txt', secret, 0o666)
    give(
      stage,
      site,
      'config.php',
      `<?php session_id('sesion'); session_start(); $_SESSION['n'] = '${secret}'; echo 'ok'; // ${secret}`,
      0o666,
    )
    if ((await machine.visit(site, '/config.php')) !== 'ok') throw new Error(`no PHP for ${site.client}`)
  }
  return stage
}

/** Everything that an attack uses, in the customer's own document root. */
export function arm(machine: Machine, site: Site): void {
  giveNative(machine.at(site.root))
  for (const name of PROGRAMS) give(machine, site, name, compiled(name), 0o750)
  for (const name of SCRIPTS) give(machine, site, name, readFileSync(join(NATIVE, name)), 0o640)
}

/** A file of a customer's own. */
export function give(
  machine: Machine,
  site: Site,
  name: string,
  content: string | Buffer,
  mode = 0o640,
): void {
  const path = machine.at(join(site.root, name))
  const above = join(path, '..')
  if (!existsSync(above)) {
    mkdirSync(above)
    chmodSync(above, 0o777)
    chownSync(above, site.uid, site.gid)
  }
  writeFileSync(path, content)
  chmodSync(path, mode)
  chownSync(path, site.uid, site.gid)
}

/** Runs an order natively as a customer; answers all that it printed. */
export async function native(machine: Machine, site: Site, order: string): Promise<string> {
  const { answer, told } = await spend(machine, site, order)
  if (!told.endsWith('#end\n'))
    throw new Error(`the attack did not run: ${answer.slice(0, 300)} ${told.slice(-300)}`)
  return told
}

/** The same of an order that may be ended for what it takes, with the PHP that began it. */
export async function spend(
  machine: Machine,
  site: Site,
  order: string,
): Promise<{ answer: string; told: string }> {
  const note = machine.at(join(site.root, 'botin'))
  rmSync(note, { force: true })
  const bounded = `exec >botin 2>&1 </dev/null; timeout -k 1 ${SECONDS} bash -c ${quoted(order)}; echo "#end"`
  const answer = await machine.visit(site, '/n.php', bounded)
  return { answer, told: existsSync(note) ? readFileSync(note, 'latin1') : '' }
}

/** Runs one attack and answers what it told. */
export async function run(stage: Stage, attack: Attack): Promise<string> {
  if (attack.order) return native(stage, stage.attacker, attack.order(stage))
  give(stage, stage.attacker, 'ataque.php', `<?php error_reporting(0);\n${attack.php?.(stage)}`)
  return stage.visit(stage.attacker, '/ataque.php')
}

/** What nobody but the panel or the victim may know: found in a text. */
export function secretsIn(stage: Stage, told: string): string[] {
  const keys = [join(stage.dns, 'clave'), join(stage.data, 'keys')].flatMap((path) =>
    readFileSync(stage.at(path), 'utf8')
      .split(/\s+/)
      .filter((word) => word.length > 20),
  )
  const known = [stage.secret, stage.told, 'PRIVATE KEY', 'SQLite format', ...keys]
  return known.filter((secret) => told.includes(secret))
}

/** Lines with something that may not be told. */
export function forbidden(stage: Stage, { never, except }: Attack, told: string): string[] {
  const allowed = typeof except === 'function' ? except(stage) : except
  return told.split('\n').filter((line) => never?.test(line) && !allowed?.test(line))
}

const made = new Map<string, Buffer>()

function compiled(name: string): Buffer {
  const known = made.get(name)
  if (known) return known
  const directory = mkdtempSync(join(tmpdir(), 'attack-'))
  const argv = ['/usr/bin/gcc', '-O1', '-pthread', '-o', join(directory, name), join(NATIVE, `${name}.c`)]
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`gcc: ${stderr}`)
  const program = readFileSync(join(directory, name))
  rmSync(directory, { recursive: true })
  made.set(name, program)
  return program
}
