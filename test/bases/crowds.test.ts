import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { partDirectory } from '../support/consistency.ts'
import { daemon, giveNative } from '../support/native.ts'
import { eventually } from '../support/wait.ts'
import { sql } from './sql.ts'
import { addClient, createBase, startBases, type World } from './world.ts'

/** That a statement may take. */
const SECONDS = 2

let world: World

beforeAll(async () => {
  world = await startBases({ PANEL_BASES_SEGUNDOS: String(SECONDS) })
}, 60_000)
afterAll(() => world?.stop())

/** Holds as many connections as it is let have, says nothing on them, and takes each anew that it loses. */
const HOLDS = `use Socket; use IO::Handle;
my ($where) = @ARGV; my ($path, $port) = $where =~ m{^/} ? ($where) : (undef, $where);
my @held; my $end = time + 40;
while (time < $end) {
  @held = grep { my $bits = ''; vec($bits, fileno $_, 1) = 1; !select(my $ready = $bits, undef, undef, 0) || sysread $_, my $said, 4096 } @held;
  for (1 .. 200) {
    last if @held > 1500;
    socket my $one, $path ? AF_UNIX : AF_INET, SOCK_STREAM, 0 or last;
    connect $one, $path ? sockaddr_un($path) : sockaddr_in($port, inet_aton('127.0.0.1')) or last;
    $one->blocking(0); push @held, $one;
  }
  select undef, undef, undef, 0.02;
}`

test.each(['socket', 'port'])(
  'connections that a client holds at the %s without a word keep no other client waiting for long',
  async (way) => {
    const [bad, good] = [`malo-${way}`, `bueno-${way}`]
    const root = await addClient(world, bad)
    await addClient(world, good)
    const { usuario, base } = await createBase(world, good, 'x')
    // Without any account that comes in there, the port takes nobody's connection.
    await world.panel.api('POST', `/bases/${base}/cuentas`, {
      bearer: world.admin.bearer,
      body: { usuario: 'lee' },
    })
    giveNative(root)
    writeFileSync(join(root, 'holds.pl'), HOLDS, { mode: 0o644 })
    const where = way === 'socket' ? world.socket : String(world.mariadbPort)
    const body = daemon(`perl ${root}/holds.pl ${where}`)
    await fetch(`http://127.0.0.1:${world.panel.httpPort}/n.php`, {
      method: 'POST',
      body,
      headers: { host: `${bad}.es` },
    })
    const before = world.panel.log.length
    const ask = () => sql(world, usuario, 'select 1 + 1')
    const told = /held \d+ connections: kept out for 60 s/
    await eventually(async () => told.test(world.panel.log.slice(before)), 'word of who holds them')
    await eventually(async () => (await ask()).out === '2', 'room for others', 10_000)
    // What it begins anew does not find the socket either.
    if (way === 'socket') {
      await fetch(`http://127.0.0.1:${world.panel.httpPort}/n.php`, {
        method: 'POST',
        body,
        headers: { host: `${bad}.es` },
      })
      for (let asked = 0; asked < 20; asked++) expect((await ask()).out).toBe('2')
    }
  },
  60_000,
)

test('a transaction does not keep what rows were before for longer than ten statements take, in files that become small again', async () => {
  await addClient(world, 'lento')
  const { usuario } = await createBase(world, 'lento', 'x')
  const at = { database: 'lento_x' }
  await sql(world, usuario, 'create table t (a int); insert into t values (1)', at)
  const began = performance.now()
  const reads = 'do sleep(1); select a from t;'.repeat(40)
  const held = await sql(world, usuario, `start transaction with consistent snapshot; ${reads}`, at)
  expect(held.error).toMatch(/Lost connection|Connection was killed|gone away/)
  expect(performance.now() - began).toBeGreaterThan(9 * SECONDS * 1000)
  expect(performance.now() - began).toBeLessThan(20 * SECONDS * 1000)
  const asked = await sql(world, null, 'select @@innodb_undo_tablespaces, @@innodb_undo_log_truncate')
  expect(asked.out).toBe('3\t1')
}, 60_000)

test('connections that are refused or break off write nothing into the server’s log', async () => {
  const root = await addClient(world, 'ruidoso')
  const log = join(partDirectory(world.panel, 'web'), 'log/mariadb.out')
  const before = statSync(log).size
  const refused = `try { new mysqli(null, str_repeat('n', 80), 'x', null, 0, '${world.socket}'); } catch (Throwable $e) { echo 'no'; }`
  const broken = `$s = stream_socket_client('unix://${world.socket}'); fwrite($s, 'xxxx'); fclose($s);`
  writeFileSync(join(root, 'ruido.php'), `<?php for ($i = 0; $i < 50; $i++) { ${broken} ${refused} }`)
  expect(await world.get('ruidoso.es', '/ruido.php')).toBe('no'.repeat(50))
  expect(readFileSync(log, 'utf8').slice(before)).toBe('')
})
