import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { eventually } from '../support/wait.ts'
import { CHECKOUT, DATA, UNIT } from './support/installed.ts'
import type { World } from './world.ts'

const RELEASES = '/opt/controlpanel/releases'
const START = 'deploy/node/commands/start.ts'
/** Each puts a release together, with its packages and its interface, which takes a busy machine minutes. */
const LONG_MS = 240_000

/** What holds when the version changes, and when the panel goes. */
export function upgrading(world: World): void {
  test(
    'an upgrade to another version drops no request of a visitor',
    async () => {
      const { machine, panel, site } = world
      const services = panel.services()
      const checkout = version(world, '0.2.0')
      const prober = panel.probe(site)
      const { status, error } = await panel.script('upgrade', checkout)
      const { good, bad } = await prober.stop()
      expect([status, error]).toEqual([0, expect.stringContaining('Upgraded.')])
      expect([bad, good > 100]).toEqual([[], true])
      expect(await versionOf(world)).toBe('0.2.0')
      expect(panel.services()).toEqual(services)
      expect(machine.run('stat', '-c', '%a', `${DATA}/antes-de-actualizar.db`).output.trim()).toBe('600')
    },
    LONG_MS,
  )

  test(
    'a version that changes the database and does not come up is undone, with the database as it was',
    async () => {
      const { machine, panel, site } = world
      const checkout = version(world, '0.3.0')
      edit(world, `${checkout}/schema/migrations/index.ts`, (text) =>
        text.replace(
          /\n\]\s*$/,
          `\n  { name: '9999_prueba', sql: "update plans set name = 'otro' where name = 'basico'" },\n]\n`,
        ),
      )
      edit(world, `${checkout}/${START}`, (text) =>
        text.replace('  await tellReady(', "  throw new Error('broken')\n  await tellReady("),
      )
      const prober = panel.probe(site)
      const { status, error } = await panel.script('upgrade', checkout)
      expect([status, error]).toEqual([1, expect.stringContaining('The upgrade was undone')])
      expect(error).toContain('The database is as it was before the upgrade.')
      expect((await prober.stop()).bad).toEqual([])
      expect(await versionOf(world)).toBe('0.2.0')
      expect((await panel.api('GET', '/planes/basico')).status).toBe(200)
      expect(readdirSync(machine.path(RELEASES)).length).toBe(2)
    },
    LONG_MS,
  )

  test(
    'what a version answered with success before it failed is kept where the former one can go on with it',
    async () => {
      const { panel } = world
      const checkout = version(world, '0.4.0')
      const late = "  await Bun.sleep(1500)\n  throw new Error('broken')\n  await tellReady("
      edit(world, `${checkout}/${START}`, (text) => text.replace('  await tellReady(', late))
      const upgrade = panel.script('upgrade', checkout)
      // The release is put together first, which takes a busy machine long.
      const came = async () => (await versionOf(world).catch(() => '')) === '0.4.0'
      await eventually(came, 'the broken version', LONG_MS / 2)
      const made = await panel.api('POST', '/clientes', { cliente: 'recien-hecho' })
      expect(made.status).toBe(201)
      const { status, error } = await upgrade
      expect([status, error]).toEqual([1, expect.stringContaining('The upgrade was undone')])
      expect(error).not.toContain('as it was before')
      expect(await versionOf(world)).toBe('0.2.0')
      expect((await panel.api('GET', '/clientes/recien-hecho')).status).toBe(200)
    },
    LONG_MS,
  )

  test(
    'a version that comes up and answers visitors with an error is undone, and the sites are named',
    async () => {
      const { panel, site } = world
      const checkout = version(world, '0.4.1')
      edit(world, `${checkout}/deploy/node/web/config.ts`, (text) =>
        text.replace("      'server_name _;',", "      'server_name _;',\n      'return 502;',"),
      )
      const { status, error } = await panel.script('upgrade', checkout)
      expect([status, error]).toEqual([1, expect.stringContaining('The upgrade was undone')])
      expect(error).toContain('The new version has faults that were none before')
      expect(error).toContain('sitios: http://')
      expect(await versionOf(world)).toBe('0.2.0')
      expect(await panel.visit(site)).toEqual(panel.rightAnswers(site))
    },
    LONG_MS,
  )

  test(
    'a release that cannot be put together changes nothing',
    async () => {
      const { machine, panel } = world
      const [before, releases] = [machine.unit(UNIT, 'MainPID'), readdirSync(machine.path(RELEASES))]
      const checkout = version(world, '0.5.0')
      edit(world, `${checkout}/web/main.tsx`, () => 'this is no program')
      const { status, error } = await panel.script('upgrade', checkout)
      expect([status, error]).toEqual([1, expect.stringContaining('nothing was changed')])
      expect(machine.unit(UNIT, 'MainPID')).toBe(before)
      expect(readdirSync(machine.path(RELEASES))).toEqual(releases)
    },
    LONG_MS,
  )
}

/** The end, and a beginning after it. */
export function removing(world: World): void {
  test(
    'an uninstallation ends everything and keeps data, settings and users; Debian’s own units are free again',
    async () => {
      const { machine, panel, site } = world
      const { status, error } = await panel.script(
        'uninstall',
        readlinkSync(machine.path('/opt/controlpanel/current')),
      )
      expect([status, error]).toEqual([0, expect.stringContaining(`Its data stay in ${DATA}`)])
      expect(panel.services()).toEqual({})
      expect(
        machine
          .run('ss', '-Hlntu')
          .output.split('\n')
          .filter((line) => /:(?:80|443|53|2087)\s/.test(line)),
      ).toEqual([])
      for (const path of [
        '/opt/controlpanel',
        `/etc/systemd/system/${UNIT}`,
        '/etc/logrotate.d/controlpanel',
        '/etc/sysctl.d/50-controlpanel.conf',
        '/usr/local/sbin/controlpanel',
      ]) {
        expect([path, existsSync(machine.path(path))]).toEqual([path, false])
      }
      expect(machine.run('cat', '/proc/sys/net/ipv4/ip_unprivileged_port_start').output.trim()).toBe('1024')
      expect(machine.unit('nginx.service', 'LoadState')).toBe('loaded')
      expect(readFileSync(machine.path(`${site.root}/pagina.html`), 'utf8')).toBe(site.page)
      expect(machine.run('id', '-u', `cp${site.clientId}`).output.trim()).toBe(String(20_000 + site.clientId))
    },
    LONG_MS,
  )

  test(
    'an installation after it goes on with the data: sites, names, tokens',
    async () => {
      const { panel, site } = world
      const { status, error } = await panel.script('install', CHECKOUT)
      expect([status, error]).toEqual([0, expect.stringContaining('The panel runs.')])
      expect((await panel.api('GET', '/clientes/uno.es')).status).toBe(200)
      expect(await panel.visit(site)).toEqual(panel.rightAnswers(site))
    },
    LONG_MS,
  )
}

/** A checkout of another version. */
function version({ machine }: World, name: string): string {
  const path = `/srv/checkout-${name}`
  machine.run('cp', '-a', CHECKOUT, path)
  edit({ machine }, `${path}/package.json`, (text) =>
    text.replace(/"version": "[^"]+"/, `"version": "${name}"`),
  )
  return path
}

function edit({ machine }: Pick<World, 'machine'>, path: string, change: (text: string) => string): void {
  const before = readFileSync(machine.path(path), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`nothing to change in ${path}`)
  machine.write(path, after)
}

async function versionOf({ panel }: World): Promise<string> {
  return (await panel.api('GET', '/conexion')).body.version
}
