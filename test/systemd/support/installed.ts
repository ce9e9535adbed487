import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { totpCode, totpStep } from '../../../lib/sign-in/totp.ts'
import type { Json } from '../../support/panel.ts'
import { PASSWORD } from '../../support/people.ts'
import { eventually } from '../../support/wait.ts'
import type { Machine, Ran } from './machine.ts'

export const UNIT = 'controlpanel.service'
export const DATA = '/var/lib/controlpanel'
export const CHECKOUT = '/srv/checkout'
/** What a visitor waits for a page or a name. */
const TRIES_MS = 3_000
/** What a call waits that makes users and restarts programs, on a machine that runs other tests too. */
const CALL_MS = 15_000
const DAY_MS = 86_400_000

/** A site that is asked for as a visitor would. */
export type Site = { host: string; page: string; php: string; clientId: number; root: string }

/** The panel as its scripts install it on a machine with systemd, reached over the machine's network. */
export class Installed {
  token = ''
  readonly #machine: Machine

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** Runs one of the scripts of a checkout. */
  script(name: 'install' | 'upgrade' | 'uninstall', checkout = CHECKOUT): Promise<Ran> {
    return this.#machine.runs('/bin/sh', `${checkout}/deploy/systemd/${name}.sh`)
  }

  /** One request, over TLS verified against the certificate that the panel has made. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    bearer = this.token,
  ): Promise<{ status: number; body: Json }> {
    const ca = readFileSync(this.#machine.path(`${DATA}/tls/panel.pem`), 'utf8')
    const answer = await fetch(`https://${this.#machine.address}:2087${path}`, {
      method,
      headers: {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      tls: { ca },
      keepalive: false,
      signal: AbortSignal.timeout(CALL_MS),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  api = (method: string, path: string, body?: unknown) => this.request(method, `/api${path}`, body)

  /** Waits until the API answers with this token. */
  serves = () =>
    eventually(async () => (await this.api('GET', '/conexion').catch(() => null))?.status === 200, 'the API')

  /** Enrols the first admin by the link in the journal, and makes a token. */
  async enrol(): Promise<void> {
    const journal = this.#machine.run('journalctl', '--unit', UNIT, '--output=cat').output
    const enlace = [...journal.matchAll(/\/enlace#([0-9A-Za-z]{43})/g)].at(-1)?.[1]
    const access = (path: string, body: unknown) => this.request('POST', `/acceso${path}`, body, '')
    const spent = await access('/enlace/gastar', { enlace, contrasena: PASSWORD, correo: 'admin@ejemplo.es' })
    const secret: string = spent.body.totp.secreto
    const codigo = await totpCode(secret, totpStep(new Date()))
    const enrolled = await access('/segundo-factor/inscribir', { paso_token: spent.body.paso_token, codigo })
    const body = {
      nombre: 'facturacion',
      caduca: new Date(Date.now() + 200 * DAY_MS).toISOString().slice(0, 10),
    }
    const made = await this.request('POST', '/api/tokens', body, enrolled.body.sesion)
    this.token = made.body.token
  }

  /** A client with one site, a page and a program in it. */
  async provision(host: string): Promise<Site> {
    const made = await this.api('PUT', `/altas/${host}`, { correo: `a@${host}`, domain: host, enviar: false })
    if (made.body.sitio?.estado !== 'activo') throw new Error(`no site: ${JSON.stringify(made.body)}`)
    const directories = `${DATA}/web/h/${host}`
    const root = this.#machine.run('readlink', '-f', `${directories}/public`).output.trim()
    const clientId = Number(root.split('/').at(-3))
    const site = { host, page: `page of ${host}`, php: `uid ${20_000 + clientId}`, clientId, root }
    this.#machine.write(`${root}/pagina.html`, site.page)
    this.#machine.write(
      `${root}/programa.php`,
      "<?php if (isset($_GET['falla'])) error_log(str_repeat('x', 1000)); echo 'uid ', posix_getuid();",
    )
    return site
  }

  async page(site: Site, path: string): Promise<string> {
    const options = { headers: { host: site.host }, keepalive: false, signal: AbortSignal.timeout(TRIES_MS) }
    return (await fetch(`http://${this.#machine.address}${path}`, options)).text()
  }

  /** What the name server answers for a site's name. */
  async addressOf(host: string): Promise<string> {
    const resolver = new Resolver({ timeout: TRIES_MS, tries: 1 })
    resolver.setServers([this.#machine.address])
    return (await resolver.resolve4(host)).join()
  }

  /** What a visitor gets in all three ways, to be compared with what is right. */
  async visit(site: Site): Promise<string[]> {
    const tries = [
      this.page(site, '/pagina.html'),
      this.page(site, '/programa.php'),
      this.addressOf(site.host),
    ]
    return Promise.all(tries.map((one) => one.catch(String)))
  }

  rightAnswers = (site: Site): string[] => [site.page, site.php, this.#machine.address]

  /** Visits again and again until it is stopped, which answers how often, and every failure. */
  probe(site: Site): { stop(): Promise<{ good: number; bad: string[] }> } {
    const bad: string[] = []
    let [good, on] = [0, true]
    const wanted = this.rightAnswers(site)
    const ways = [
      () => this.page(site, '/pagina.html'),
      () => this.page(site, '/programa.php'),
      () => this.addressOf(site.host),
    ]
    const loops = ways.map(async (way, index) => {
      while (on) {
        const got = await way().catch(String)
        if (got === wanted[index]) good++
        else bad.push(`${new Date().toISOString()} ${got.slice(0, 100)} instead of ${wanted[index]}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })
    return {
      async stop() {
        on = false
        await Promise.all(loops)
        return { good, bad }
      },
    }
  }

  /** The transient units of the services, with their main processes. */
  services(): Record<string, number> {
    const listed = this.#machine.run(
      'systemctl',
      'list-units',
      '--plain',
      '--no-legend',
      'controlpanel-*.service',
    ).output
    const names = listed.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ')[0] ?? '']))
    return Object.fromEntries(names.map((name) => [name, Number(this.#machine.unit(name, 'MainPID'))]))
  }

  /** Name of the unit of one of the services. */
  service(part: 'nginx' | 'pdns' | 'php'): string {
    const found = Object.keys(this.services()).find((name) => name.startsWith(`controlpanel-${part}`))
    if (found === undefined) throw new Error(`no unit of ${part}`)
    return found
  }
}
