import { boxOf } from '../abuse/attacks/box.ts'
import { arm, give, type Machine, type Site } from '../abuse/attacks/stage.ts'
import { runningWith } from '../abuse/attacks/survival.ts'
import { startWorld } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { manyClients } from './_many-clients.ts'

const SECONDS = 8
const INCLUDES = 300
const TRIED_ROUNDS = 5_000
/** What a page of WordPress takes without a cache. */
const PAGE_MS = 50
const FREE = { PANEL_LIMITE_ESCRITURAS: '1000000', PANEL_LIMITE_PETICIONES: '1000000' }
const PLAN = { cpu_porcentaje: 100, memoria_bytes: 512 * 1024 ** 2, procesos: 100 }

type Measured = { median: number; p95: number; count: number }

/**
 * One customer burns processor, memory, processes, connections and disk at once. Prints what another customer's page
 * and the panel's API take quiet and beside it, what the doctor says, and what idle and active clients cost.
 */
export async function run(): Promise<void> {
  await using world = await startWorld({ env: { ...FREE, PANEL_TEST_CLOCK: '' } })
  const machine = boxOf(world, 'nothing')
  await world.done('POST', '/planes', { plan: 'quema', ...PLAN })
  const burners = [
    ['a burner with a plan of one processor', await machine.site('quema', { plan: 'quema' })],
    ['a burner without limits', await machine.site('quema-libre')],
  ] as const
  const page = await machine.site('tienda')
  await furnish(machine, page)
  const quiet = await measure(machine, page)
  print('quiet', quiet, null)
  for (const [what, burner] of burners) {
    arm(machine, burner)
    await burn(machine, burner)
    print(what, await measure(machine, page), quiet)
    const { lines } = await world.panel.command('doctor')
    for (const line of lines.flat().filter((one: Json) => !one.bien || /quema/.test(JSON.stringify(one))))
      console.log(`  doctor: ${JSON.stringify(line)}`)
    await machine.api('POST', `/clientes/${burner.client}/suspender`)
    await eventually(async () => runningWith(machine, burner, '').length === 0, 'the end of the burner')
  }
  for (const count of [500, 5_000]) await manyClients(count)
}

/** A program that includes some hundred files and computes, as long as a page of WordPress without a cache. */
async function furnish(machine: Machine, site: Site): Promise<void> {
  const part = (at: number) =>
    `<?php ${Array.from({ length: 20 }, (_, index) => `function f${at}_${index}($x) { $a = ['k' => $x, 'v' => [${index}, 'texto ${at}']]; return $a['k'] . $a['v'][1]; }`).join('\n')}\nreturn '${'x'.repeat(500)}';`
  for (let at = 0; at < INCLUDES; at++) give(machine, site, `inc/${at}.php`, part(at))
  // It tells its own time on the processor, which other programs of the machine hardly disturb.
  const costs = async (rounds: number): Promise<number> => {
    give(
      machine,
      site,
      'index.php',
      `<?php function now() { $u = getrusage(); return 1000 * $u['ru_utime.tv_sec'] + $u['ru_utime.tv_usec'] / 1000 + 1000 * $u['ru_stime.tv_sec'] + $u['ru_stime.tv_usec'] / 1000; } $begun = now();
      $t = ''; for ($i = 0; $i < ${INCLUDES}; $i++) { $t .= include __DIR__ . "/inc/$i.php"; $f = "f{$i}_3"; $t .= $f($i); }
      for ($i = 0; $i < ${rounds}; $i++) $t = md5($t . $i) . substr($t, 0, 2000); echo 'pagina ', now() - $begun;`,
    )
    // PHP keeps no program that was written a moment ago.
    await Bun.sleep(2_500)
    const told: number[] = []
    for (let look = 0; look < 20; look++) told.push(Number((await machine.visit(site, '/')).split(' ')[1]))
    return told.toSorted((a, b) => a - b)[10] ?? Number.NaN
  }
  const [bare, more] = [await costs(0), await costs(TRIED_ROUNDS)]
  const rounds = (TRIED_ROUNDS * (PAGE_MS - bare)) / (more - bare)
  console.log(`the page takes ${(await costs(Math.round(rounds))).toFixed(0)} ms of a processor`)
}

type Results = { page: Measured; connection: Measured; provisioning: Measured }
let made = 0

async function measure(machine: Machine, site: Site): Promise<Results> {
  const page = await times(SECONDS, async () => {
    const text = await machine.visit(site, '/')
    if (!text.startsWith('pagina')) throw new Error(text.slice(0, 200))
  })
  const connection = await times(SECONDS / 2, async () => {
    if ((await machine.api('GET', '/conexion')).status !== 200) throw new Error('no API')
  })
  const provisioning = await times(SECONDS / 2, async () => {
    const name = `nuevo${made++}`
    const body = { cliente: name, correo: `${name}@cliente.es`, domain: `${name}.es`, enviar: false }
    const { status } = await machine.api('PUT', `/altas/${name}`, body)
    if (status >= 300) throw new Error(`provisioning: ${status}`)
  })
  return { page, connection, provisioning }
}

async function times(seconds: number, run: () => Promise<unknown>): Promise<Measured> {
  const taken: number[] = []
  for (const end = performance.now() + 1000 * seconds; performance.now() < end; ) {
    const started = performance.now()
    await run()
    taken.push(performance.now() - started)
  }
  const sorted = taken.sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95), count: sorted.length }
}

/** All at once, for longer than is measured: what ends for want of something begins again. */
async function burn(machine: Machine, burner: Site): Promise<void> {
  const loops = [
    'while :; do ./spend processor 8 60; done',
    'while :; do ./spend memory 100000 5; done',
    'while :; do ./spend processes 2000 2; done',
    `while :; do ./spend connections 3000 5 ${machine.ports.http}; done`,
    'while :; do dd if=/dev/zero of=mucho bs=1M count=200 conv=fsync; rm -f mucho; done',
    'while :; do cat /dev/urandom | head -c 50000000 | gzip >/dev/null; done',
  ]
  const order = loops.map((loop) => `setsid bash -c '${loop}' >/dev/null 2>&1 </dev/null &`).join(' ')
  await machine.visit(burner, '/n.php', `${order} exit 0`)
  give(
    machine,
    burner,
    'gira.php',
    '<?php ignore_user_abort(true); set_time_limit(0); for ($e = time() + 60; time() < $e;) md5("x");',
  )
  for (let at = 0; at < 12; at++) void machine.visit(burner, '/gira.php')
  await eventually(async () => runningWith(machine, burner, 'spend').length > 4, 'the burner')
}

const UNITS = {
  page: 'another customer’s page',
  connection: 'GET /conexion',
  provisioning: 'PUT /altas',
} as const

function print(what: string, results: Results, quiet: Results | null): void {
  for (const [key, told] of Object.entries(UNITS)) {
    const { median, p95, count } = results[key as keyof Results]
    const beside = quiet
      ? `  ${(median / quiet[key as keyof Results].median).toFixed(2)} times the quiet one`
      : ''
    console.log(
      `${what.padEnd(40)} ${told.padEnd(26)} ${median.toFixed(1).padStart(8)} ms  p95 ${p95.toFixed(1).padStart(8)} ms  of ${count}${beside}`,
    )
  }
}
