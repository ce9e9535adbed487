import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { CHECKOUT, DATA, UNIT } from './support/installed.ts'
import type { World } from './world.ts'

/** What holds from the first moment of an installation on. */
export function installing(world: World): void {
  test('ports that others hold end the installation with a line for each that names who, and nothing is changed', async () => {
    const { machine, panel } = world
    machine.write(
      '/srv/ajeno.conf',
      'daemon off; pid /run/ajeno.pid; events {} http { server { listen 443; listen 2087; } }',
    )
    machine.write(
      '/srv/ajeno-dns.conf',
      'server:\n interface: 127.0.0.1\n port: 53\n do-daemonize: no\n username: ""\n chroot: ""\n',
    )
    machine.run(
      'systemd-run',
      '--unit=ajeno',
      '--service-type=exec',
      '/usr/sbin/nginx',
      '-c',
      '/srv/ajeno.conf',
    )
    machine.run(
      'systemd-run',
      '--unit=nombres',
      '--service-type=exec',
      '/usr/sbin/unbound',
      '-d',
      '-c',
      '/srv/ajeno-dns.conf',
    )
    await world.until(() => machine.run('ss', '-Hlnu', 'sport = :53').output !== '', 'the other name server')
    await world.until(() => machine.run('ss', '-Hlnt', 'sport = :2087').output !== '', 'the other web server')
    const { status, error } = await panel.script('install')
    expect(status).toBe(1)
    expect(error).toMatch(
      /Port 2087\/tcp \(PANEL_PORT\) on 0\.0\.0\.0 is held by nginx, ajeno\.service \(process \d+\)\./,
    )
    expect(error).toMatch(
      /Port 443\/tcp \(PANEL_HTTPS_PORT\) on 0\.0\.0\.0 is held by nginx, ajeno\.service \(process \d+\)\./,
    )
    expect(error).toMatch(
      /Port 53\/udp \(PANEL_DNS_PORT\) on 127\.0\.0\.1 is held by unbound, nombres\.service/,
    )
    // Debian's own, which holds port 80, is no other: it will be masked.
    expect(error).not.toContain('PANEL_HTTP_PORT')
    expect(machine.unit('nginx.service', 'ActiveState')).toBe('active')
    expect(existsSync(machine.path('/opt/controlpanel'))).toBe(false)
    expect(readdirSync(machine.path(DATA))).toEqual([])
    machine.run('systemctl', 'stop', 'ajeno', 'nombres')
  })

  test('settings with a secret that others can read end the installation with the command that closes them', async () => {
    const { machine, panel } = world
    const settings = readFileSync(machine.path('/etc/controlpanel.env'), 'utf8')
    machine.write('/etc/controlpanel.env', `${settings}PANEL_CRON_SECRET=secreto-del-cron\n`)
    machine.run('chmod', '0644', '/etc/controlpanel.env')
    const { status, error } = await panel.script('install')
    expect([status, error]).toEqual([1, expect.stringContaining('chmod 600 /etc/controlpanel.env')])
    expect(existsSync(machine.path('/opt/controlpanel'))).toBe(false)
    machine.run('chmod', '0600', '/etc/controlpanel.env')
  })

  test('Debian’s nginx with a site that somebody set up is left running, and the refusal names the file', async () => {
    const { machine, panel } = world
    machine.write('/etc/nginx/sites-enabled/tienda', 'server { listen 8080; }')
    const { status, error } = await panel.script('install')
    expect(status).toBe(1)
    expect(error).toContain('nginx.service serves what somebody set up in /etc/nginx/sites-enabled/tienda')
    expect(machine.unit('nginx.service', 'ActiveState')).toBe('active')
    expect(machine.unit('nginx.service', 'LoadState')).toBe('loaded')
    machine.run('rm', '/etc/nginx/sites-enabled/tienda')
  })

  test('an installation ends when the panel answers; Debian’s own units are masked, and the first link is in the journal', async () => {
    const { machine, panel } = world
    const { status, error } = await panel.script('install')
    expect([status, error]).toEqual([0, expect.stringContaining('The panel runs.')])
    expect(machine.unit(UNIT, 'ActiveState')).toBe('active')
    for (const unit of ['nginx', 'pdns', 'php8.2-fpm']) {
      expect([unit, machine.unit(unit, 'LoadState')]).toEqual([unit, 'masked'])
      expect([unit, machine.unit(unit, 'ActiveState')]).toEqual([unit, 'inactive'])
    }
    expect(machine.run('systemctl', 'is-enabled', UNIT).output.trim()).toBe('enabled')
    await panel.enrol()
    expect(await panel.api('GET', '/conexion')).toMatchObject({
      status: 200,
      body: { panel: 'controlpanel' },
    })
    const again = await panel.script('install')
    expect([again.status, again.error]).toEqual([1, expect.stringContaining('use upgrade.sh')])
  }, 240_000)

  test('behind the hardening a client is made whole: user, files, page, PHP of its own user, zone', async () => {
    const { machine, panel } = world
    await panel.api('POST', '/planes', { plan: 'basico', disco_bytes: 20_000_000, inodos: 10_000 })
    world.site = await panel.provision('uno.es')
    expect(await panel.visit(world.site)).toEqual(panel.rightAnswers(world.site))
    const plan = await panel.api('POST', `/clientes/uno.es/plan`, { plan: 'basico' })
    expect(plan.status).toBe(200)
    const full = await panel.api('PUT', '/altas/lleno.es', {
      correo: 'a@lleno.es',
      domain: 'lleno.es',
      plan: 'basico',
      enviar: false,
    })
    const { raiz } = (await panel.api('GET', '/sitios/lleno.es')).body
    expect([
      full.status,
      machine.run('dd', 'if=/dev/urandom', `of=${raiz}/mucho`, 'bs=1M', 'count=64').error,
    ]).toEqual([201, expect.stringContaining('Disk quota exceeded')])
    expect(machine.run('controlpanel', 'cron', 'uso').status).toBe(0)
    expect((await panel.api('GET', '/clientes/lleno.es/uso')).body).toMatchObject({ origen: 'cuota' })
    expect(machine.run('stat', '-c', '%U', world.site.root).output.trim()).toBe('cp1')
    const signed = await panel.api('POST', '/zonas/uno.es/dnssec')
    expect([signed.status, signed.body.dnssec.ds.length > 0]).toEqual([200, true])
    const gone = await panel.provision('fuera.es')
    expect((await panel.api('DELETE', '/clientes/fuera.es')).status).toBe(200)
    expect(machine.run('id', `cp${gone.clientId}`).status).toBe(1)
    expect(machine.run('test', '-e', gone.root).status).toBe(1)
    const { datos } = (await panel.api('GET', '/tareas?limite=200')).body
    expect(datos.filter((job: { estado: string }) => job.estado !== 'hecha')).toEqual([])
  })

  test('the panel keeps only the powers that its unit names, and sees of the system nothing that it could change but /etc', () => {
    const { machine } = world
    const pid = machine.unit(UNIT, 'MainPID')
    const status = readFileSync(machine.path(`/proc/${pid}/status`), 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\t(\\S+)`, 'm').exec(status)?.[1]
    const held = BigInt(`0x${field('CapEff')}`)
    // <linux/capability.h>: CHOWN, SETUID; NET_ADMIN, SYS_MODULE, SYS_RAWIO, SYS_BOOT, SYS_TIME, MKNOD.
    const has = (capability: number) => (held & (1n << BigInt(capability))) !== 0n
    expect([[0, 7].map(has), [12, 16, 17, 22, 25, 27].map(has)]).toEqual([
      Array(2).fill(true),
      Array(6).fill(false),
    ])
    expect([field('NoNewPrivs'), field('Seccomp')]).toEqual(['1', '2'])
    const inside = (...argv: string[]) => machine.run('nsenter', '-t', pid, '--mount', ...argv)
    expect(inside('touch', '/usr/prueba').error).toContain('Read-only file system')
    expect(inside('ls', '/root').output).toBe('')
    expect(inside('touch', '/etc/prueba').status).toBe(0)
    machine.run('rm', '/etc/prueba')
  })

  test('nginx, PHP-FPM, PowerDNS, MariaDB and OpenSSH are units of their own with limits of their own, not the panel’s children', () => {
    const { machine, panel } = world
    const units = panel.services()
    expect(Object.keys(units).map((name) => name.replace(/-[0-9a-f]{8}\.service$|\.service$/, ''))).toEqual([
      'controlpanel-mariadb',
      'controlpanel-nginx',
      'controlpanel-pdns',
      'controlpanel-php',
      'controlpanel-sftp',
    ])
    for (const [name, pid] of Object.entries(units)) {
      expect(readFileSync(machine.path(`/proc/${pid}/cgroup`), 'utf8')).toContain(`/system.slice/${name}`)
      // One worker that the kernel ended for want of memory does not take the others with it.
      expect(machine.unit(name, 'OOMPolicy')).toBe('continue')
      expect(machine.unit(name, 'NoNewPrivileges')).toBe(name.includes('nginx') ? 'no' : 'yes')
    }
    expect(machine.unit('controlpanel-nginx.service', 'MemoryMax')).toBe(String(2 * 1024 ** 3))
    expect(machine.unit(UNIT, 'MemoryMax')).toBe(String(1024 ** 3))
  })

  test('the installed command works with the service’s settings, from any directory', () => {
    const { machine } = world
    const doctor = machine.run('controlpanel', 'doctor')
    expect([doctor.status, doctor.output]).toEqual([0, expect.stringMatching(/ok {5}nginx[\s\S]*ok {5}sftp/)])
    expect(machine.run('controlpanel', 'admin').status).toBe(2)
    expect(existsSync(machine.path(`${CHECKOUT}/data`))).toBe(false)
  })
}
