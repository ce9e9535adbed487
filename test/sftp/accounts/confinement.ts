import { beforeAll, describe, expect, test } from 'bun:test'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { localFile, startAgent } from '../client.ts'
import { account, newClient, panel, rootOf, tools, visit } from './world.ts'

describe('a session gives nothing but files of its own', () => {
  let login: { account: string; password: string }
  beforeAll(async () => {
    login = await account('acme', 'acme_ataque')
  })

  test('no command, shell, terminal, other subsystem or environment', async () => {
    const tries: [string[], string[]][] = [
      [[], ['id']],
      [[], ['cat', '/etc/passwd']],
      [['-tt'], []],
      [['-tt'], ['/bin/sh']],
      [['-s'], ['netconf']],
      [['-o', 'SetEnv=BASH_ENV=x LD_PRELOAD=/sitios/acme.es/public/x.so'], ['env']],
    ]
    for (const [before, after] of tries) {
      const { out } = await tools.ssh(login, before, after)
      expect([before, after, out]).not.toEqual([
        before,
        after,
        expect.stringMatching(/uid=|root:|PATH=|PRELOAD/),
      ])
    }
    expect((await tools.ssh(login, ['-tt'])).out).toContain('PTY allocation request failed')
  }, 60_000)

  test('no way on into a network, in either direction, and no device', async () => {
    const forward = ['-N', '-o', 'ExitOnForwardFailure=yes']
    const direct = await tools.ssh(login, ['-W', `127.0.0.1:${panel.httpPort}`])
    expect(direct).toMatchObject({ code: 255, out: expect.stringContaining('forwarding failed') })
    for (const way of [
      ['-R', '0:127.0.0.1:22'],
      ['-R', '/sitios/acme.es/public/s:127.0.0.1:22'],
      ['-w', 'any'],
    ]) {
      expect([way, (await tools.ssh(login, [...forward, ...way])).code]).toEqual([way, 255])
    }
  }, 60_000)

  test('no agent and no screen of the customer’s own is led to the server', async () => {
    const agent = await startAgent()
    try {
      const session = await tools.open({ ...login, agent: agent.socket }, ['-A'])
      // Where sshd would offer it; it answers no request for one.
      expect(readFileSync('/proc/net/unix', 'utf8')).not.toMatch(/\/agent\.[0-9]+$/m)
      expect(session.alive()).toBe(true)
      session.stop()
    } finally {
      agent.stop()
    }
    const screen = await tools.ssh(login, ['-v', '-Y', '-s'], ['sftp'])
    expect(screen.out).toContain('X11 forwarding request failed')
  }, 60_000)

  test('no copying by a program of the server’s', async () => {
    const file = localFile('x')
    expect((await tools.scp(login, ['-O'], file, 'acme.es/public/scp.txt')).code).not.toBe(0)
    expect(await tools.scp(login, [], file, 'acme.es/public/scp.txt')).toMatchObject({ code: 0 })
  }, 60_000)

  test('nothing of the machine, of the panel or of neighbours, by links, renames or ..', async () => {
    await newClient('eco', 'eco.es')
    const neighbour = await rootOf('eco.es')
    writeFileSync(join(neighbour, 'secreto.txt'), 'SECRETO', { mode: 0o644 })
    const ran = await tools.sftp(
      login,
      '-get /etc/passwd /dev/stdout',
      '-get ../../../../../etc/passwd /dev/stdout',
      `-get ${neighbour}/secreto.txt /dev/stdout`,
      '-get /proc/self/environ /dev/stdout',
      `-symlink ${neighbour}/secreto.txt acme.es/public/enlace.txt`,
      '-get acme.es/public/enlace.txt /dev/stdout',
      '-symlink /etc acme.es/public/etc',
      '-get acme.es/public/etc/passwd /dev/stdout',
      '-rename acme.es/public acme.es/otro',
      '-rename acme.es fuera.es',
      '-rm acme.es',
      '-rmdir acme.es/public',
      '-mkdir /nuevo',
      '-mkdir /sitios/nuevo',
      '-mkdir acme.es/nuevo',
      `-put ${localFile('ssh-ed25519 AAAA')} /.ssh/authorized_keys`,
      '-chmod 777 acme.es',
      '-chown 0 acme.es/public',
      '-chgrp 0 acme.es/public',
      '-ln acme.es/public/index.html tienda.es/public/duro.html',
      'ls -1 /',
    )
    expect(ran.out).not.toMatch(/SECRETO|root:x:|PATH=/)
    expect(ran.out).toMatch(/ls -1 \/\n\/sitios\n(?!\/)/)
    const site = dirname(await rootOf('acme.es'))
    const shown = readdirSync(site).filter((name) => !name.startsWith('.'))
    expect(shown.sort()).toEqual(['public', 'registros'])
    expect(lstatSync(site)).toMatchObject({ uid: 0, gid: 0 })
    expect(lstatSync(site).mode & 0o7777).toBe(0o755)
    expect((await visit('acme.es', '/enlace.txt')).text).not.toContain('SECRETO')
    const beside = readdirSync(dirname(neighbour)).filter((name) => !name.startsWith('.'))
    expect(beside.sort()).toEqual(['public', 'registros'])
  }, 60_000)

  test('nobody of the machine itself comes in, nor the server’s own users', async () => {
    // From addresses of their own: wrong passwords from one are answered ever later.
    for (const [at, name] of ['root', 'nobody', 'sshd', '_root', 'www-data'].entries()) {
      const address = `127.0.0.${20 + at}`
      const ran = await tools.sftp({ account: name, password: login.password, address }, 'pwd')
      expect([name, ran.code]).toEqual([name, 255])
    }
  }, 60_000)
})
