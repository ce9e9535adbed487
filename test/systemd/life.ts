import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/wait.ts'
import { DATA, type Site, UNIT } from './support/installed.ts'
import type { World } from './world.ts'

const LOGS = `${DATA}/web/log`
const REQUESTS = 40

/** What holds while it runs: crashes, stops, a reboot. */
export function living(world: World): void {
  test('what makes copies runs in a slice of its own, behind the services', () => {
    const { machine } = world
    const release = '/opt/controlpanel/current'
    const program = `const { behindSites } = await import('${release}/deploy/node/confinement/behind.ts')
      const { words, prepare } = behindSites({ run: '/' })
      await prepare()
      const told = Bun.spawnSync([...words, '/usr/bin/cat', '/proc/self/cgroup', '-'], { stdin: Buffer.from('fed') })
      process.stdout.write(told.stdout)`
    const bun = [`${release}/.tools/bin/bun`, '-e', program]
    const as = [
      '--unit=controlpanel-orden-prueba',
      '--wait',
      '--pipe',
      '--quiet',
      '--property=NoNewPrivileges=yes',
    ]
    const { output } = machine.run('systemd-run', ...as, ...bun)
    expect(output).toMatch(/:\/system\.slice\/system-controlpanel_copias\.slice\/run-\w+\.scope\n/)
    expect(output).toEndWith('fed')
    const property = (name: string) => machine.unit('system-controlpanel_copias.slice', name)
    expect([property('CPUWeight'), property('IOWeight')]).toEqual(['25', '25'])
    expect(Number(property('MemoryMax'))).toBeGreaterThanOrEqual(512 << 20)
  })

  test('a panel that is killed is back by itself, and its services and their visitors have felt nothing', async () => {
    const { machine, panel, site } = world
    const [services, before] = [panel.services(), machine.unit(UNIT, 'MainPID')]
    const prober = panel.probe(site)
    machine.run('systemctl', 'kill', '--signal=KILL', UNIT)
    await world.until(() => !['0', before].includes(machine.unit(UNIT, 'MainPID')), 'another process')
    await world.until(() => machine.unit(UNIT, 'ActiveState') === 'active', 'the panel')
    expect((await panel.api('GET', '/clientes/uno.es')).status).toBe(200)
    const { good, bad } = await prober.stop()
    expect([bad, good > 50]).toEqual([[], true])
    expect(panel.services()).toEqual(services)
    expect((await panel.api('GET', '/clientes/uno.es')).status).toBe(200)
  })

  test.each(['nginx', 'pdns', 'php'] as const)(
    '%s is back when its main process is killed, with the panel and without',
    async (part) => {
      const { machine, panel, site } = world
      for (const attended of [true, false]) {
        if (!attended) machine.run('systemctl', 'stop', UNIT)
        const unit = panel.service(part)
        const before = panel.services()
        machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=KILL', unit)
        await world.until(
          () => ![0, before[unit]].includes(panel.services()[unit] ?? 0),
          `${unit}, attended: ${attended}`,
        )
        const well = async () => (await panel.visit(site)).join() === panel.rightAnswers(site).join()
        await world.until(well, `answers, attended: ${attended}`)
        const others = (all: Record<string, number>) => ({ ...all, [unit]: 0 })
        expect(others(panel.services())).toEqual(others(before))
      }
      machine.run('systemctl', 'start', UNIT)
      await panel.serves()
    },
  )

  test('a service that hangs is started again', async () => {
    const { machine, panel, site } = world
    const unit = panel.service('nginx')
    const before = panel.services()[unit]
    machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=STOP', unit)
    await world.until(() => ![0, before].includes(panel.services()[unit]), 'another process')
    await world.until(
      async () => (await panel.page(site, '/pagina.html').catch(String)) === site.page,
      'its page',
    )
  })

  test('a panel that is stopped leaves sites and names answering, and takes them over when it starts', async () => {
    const { machine, panel, site } = world
    const services = panel.services()
    const prober = panel.probe(site)
    expect(machine.run('systemctl', 'stop', UNIT).status).toBe(0)
    expect(machine.unit(UNIT, 'Result')).toBe('success')
    expect(await panel.visit(site)).toEqual(panel.rightAnswers(site))
    expect(machine.run('systemctl', 'start', UNIT).status).toBe(0)
    expect((await prober.stop()).bad).toEqual([])
    expect(panel.services()).toEqual(services)
    expect(machine.run('controlpanel', 'doctor').status).toBe(0)
  })

  test('while the panel is down no customer’s program takes its port, and whoever else answers there is not taken for it', async () => {
    const { machine, panel, site } = world
    machine.run('systemctl', 'stop', UNIT)
    expect(bindAsCustomer(world, 2087)).toBe('Permission denied')
    const key = [
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      '/root/k',
      '-out',
      '/root/c',
      '-subj',
      '/CN=localhost',
    ]
    expect(machine.run('openssl', 'req', '-x509', ...key).status).toBe(0)
    const other = ['openssl', 's_server', '-www', '-accept', '2087', '-key', '/root/k', '-cert', '/root/c']
    expect(machine.run('systemd-run', '--unit=otro', ...other).status).toBe(0)
    await world.until(
      () => machine.run('curl', '-fsk', '-o', '/dev/null', 'https://localhost:2087/salud').status === 0,
      'the other program',
    )
    const asked = `checkout=/opt/controlpanel/current; . $checkout/deploy/systemd/common.sh; UNIT=otra.service
      sleep() { :; }; healthy && echo well`
    machine.run('systemd-run', '--unit=otra', 'sleep', '60')
    expect(machine.run('sh', '-c', asked).output.trim()).toBe('')
    machine.run('systemctl', 'stop', 'otro', 'otra')
    machine.run('systemctl', 'start', UNIT)
    expect(machine.run('sh', '-c', asked.replace(/UNIT=\S+/, '')).output.trim()).toBe('well')
    expect(await panel.visit(site)).toEqual(panel.rightAnswers(site))
  })

  test('after a power cycle everything of the panel runs again, and Debian’s own units do not', async () => {
    const { machine, panel, site } = world
    await machine.powerOff()
    await machine.start()
    await panel.serves()
    await world.until(() => machine.unit(UNIT, 'ActiveState') === 'active', 'the panel')
    expect(await panel.visit(site)).toEqual(panel.rightAnswers(site))
    expect((await panel.provision('tras-reinicio.es')).clientId).toBeGreaterThan(site.clientId)
    expect(bindAsCustomer(world, 2087)).toBe('Permission denied')
    expect(machine.unit('nginx.service', 'LoadState')).toBe('masked')
    expect(machine.run('systemctl', '--failed', '--plain', '--no-legend').output).toBe('')
  })
}

/** Why a customer's program cannot listen on a port; `taken` when it can. */
function bindAsCustomer({ machine, site }: World, port: number): string {
  const uid = String(20_000 + site.clientId)
  const listen = `socket(S, PF_INET, SOCK_STREAM, 0); print bind(S, sockaddr_in(${port}, INADDR_ANY)) ? "taken" : $!`
  const user = ['--reuid', uid, '--regid', uid, '--clear-groups']
  return machine.run('setpriv', ...user, 'perl', '-MSocket', '-e', listen).output
}

/** Logs that do not grow without end, and of which no line is lost. */
export function logging(world: World): void {
  test('a rotation loses no line and counts none twice, also while visitors come', async () => {
    const { machine, panel } = world
    // A client that nobody has visited yet.
    const site = await panel.provision('registro.es')
    const log = machine.path(`${LOGS}/access.log`)
    for (let round = 0; round < 3; round++) {
      // An empty log would not be rotated; a line is written after its answer.
      await panel.page(site, '/pagina.html')
      await world.until(() => statSync(log).size > 0, 'a line to rotate')
      const visits = Array.from({ length: REQUESTS }, () => panel.page(site, '/pagina.html'))
      const rotated = machine.runs('logrotate', '--force', '/etc/logrotate.d/controlpanel')
      expect(new Set(await Promise.all(visits))).toEqual(new Set([site.page]))
      expect(await rotated).toMatchObject({ status: 0, error: '' })
      // The web server opens its log when it has the signal.
      await world.until(() => existsSync(log), 'a new log')
      // Traffic is read through one rotation, so once between two of them.
      machine.run('controlpanel', 'cron', 'uso')
    }
    await panel.page(site, '/pagina.html')
    await world.until(() => ofClient(world, site).length === 3 * (REQUESTS + 1) + 1, 'every line')
    machine.run('controlpanel', 'cron', 'uso')
    const { body } = await panel.api('GET', '/clientes/registro.es/uso')
    expect(body.consumo.trafico_bytes.usado).toBe(bytes(world, site))
    const rotations = readdirSync(machine.path(LOGS)).filter((name) => name.startsWith('access.log'))
    expect(rotations.sort()).toEqual(['access.log', 'access.log.1', 'access.log.2.gz', 'access.log.3.gz'])
  })

  test('a customer’s PHP log is put aside when it has grown, and nothing is followed that the customer put in its place', async () => {
    const { machine, panel, site } = world
    const logs = `${DATA}/web/c/${site.clientId}/logs`
    await panel.page(site, '/programa.php?falla')
    const told = async () => (await panel.api('GET', `/sitios/${site.host}/bitacora?tipo=php`)).body.datos
    await eventually(async () => JSON.stringify(await told()).includes('xxxx'), 'the message of the program')
    machine.run('truncate', '--size=11M', `${logs}/php.log`)
    expect(machine.run('controlpanel', 'cron', 'registros').status).toBe(0)
    expect(statSync(machine.path(`${logs}/php.log.1`)).size).toBe(11 * 1024 ** 2)
    machine.run('truncate', '--size=12M', '/srv/grande')
    machine.run('ln', '-sf', '/srv/grande', `${logs}/php.log`)
    expect(machine.run('controlpanel', 'cron', 'registros').status).toBe(0)
    expect(machine.run('readlink', `${logs}/php.log`).output.trim()).toBe('/srv/grande')
    expect(statSync(machine.path('/srv/grande')).size).toBe(12 * 1024 ** 2)
    machine.run('rm', `${logs}/php.log`)
  })
}

/** Lines of a client in the log and all that it was before. */
function ofClient({ machine }: World, site: Site): string[] {
  const path = machine.path(LOGS)
  const names = readdirSync(path).filter((name) => name.startsWith('access.log'))
  const texts = names.map((name) => {
    const raw = readFileSync(join(path, name))
    return (name.endsWith('.gz') ? Buffer.from(Bun.gunzipSync(raw)) : raw).toString()
  })
  return texts
    .join('')
    .split('\n')
    .filter((line) => line.includes(`"c":"${site.clientId}"`))
}

function bytes(world: World, site: Site): number {
  return ofClient(world, site).reduce((sum, line) => {
    const { o, i }: { o: number; i: number } = JSON.parse(line)
    return sum + o + i
  }, 0)
}
