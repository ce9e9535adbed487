import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/wait.ts'
import { give, native, type Site, type Stage, spend } from './stage.ts'

/** What the attacker's plan allows. */
export const LIMITS = { cpu_porcentaje: 50, memoria_bytes: 256 * 1024 ** 2, procesos: 60 }
const MEGABYTES = LIMITS.memoria_bytes / 1024 ** 2
/** A process more or less that begins just then, and memory that is counted a little later. */
const NEAR = 1.15

/** The last number that the program told of something; NaN when it told none. */
const last = (told: string, what: string): number =>
  Number([...told.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].at(-1)?.[1])

type Spending = {
  name: string
  order(stage: Stage): string
  told: string
  most: number
  outside?(stage: Stage): Promise<void>
}

/** Native programs that take one thing until they are given no more. */
const SPENDING: Spending[] = [
  {
    name: 'a fork bomb gets no more processes than its plan has',
    order: () => './spend processes 400 1',
    told: 'processes',
    most: LIMITS.procesos,
  },
  {
    name: 'dead processes that nobody buries count as live ones',
    order: () => './spend zombies 400 1',
    told: 'processes',
    most: LIMITS.procesos,
  },
  {
    name: 'memory is given up to the plan’s limit',
    order: () => './spend memory 480 0',
    told: 'megabytes',
    most: MEGABYTES,
  },
  {
    name: 'System V segments count as memory',
    order: () => './spend segments 480 0; ipcrm -a',
    told: 'megabytes',
    most: MEGABYTES,
  },
  {
    name: 'files in shared memory take nothing of the machine’s memory',
    order: () => './spend file 480 1 /dev/shm/mucho; rm -f /dev/shm/mucho',
    told: 'megabytes',
    most: Number.POSITIVE_INFINITY,
    outside: async (stage) =>
      expect(stage.run('find', '/dev/shm', '-size', '+1M', '-user', String(stage.attacker.uid)).output).toBe(
        '',
      ),
  },
  {
    name: 'files without a name count as memory',
    order: () => './spend nameless 480 0',
    told: 'megabytes',
    most: MEGABYTES,
  },
  {
    name: 'what waits unread in sockets counts as memory',
    order: () => './spend pairs 480 0',
    told: 'megabytes',
    most: MEGABYTES,
  },
  {
    name: 'no process opens more files than a page may need',
    order: () => './spend files 300000 0',
    told: 'files',
    most: 4_096,
  },
  {
    name: 'a processor is burnt up to the plan’s share, by however many processes',
    order: () => './spend processor 8 2',
    told: 'percent',
    most: LIMITS.cpu_porcentaje * 1.2,
  },
  {
    name: 'semaphores that one customer takes are not missing to another',
    order: () => './spend semaphores 40000 1; ipcrm -a',
    told: 'semaphores',
    most: Number.POSITIVE_INFINITY,
    outside: async (stage) =>
      expect(await native(stage, stage.victim, 'ipcmk -S 1 >/dev/null && echo made; ipcrm -a')).toContain(
        'made',
      ),
  },
  {
    name: 'watches that one customer takes are not missing to another',
    order: () => './spend watches 5000 1',
    told: 'watches',
    most: Number.POSITIVE_INFINITY,
    outside: async (stage) =>
      expect(await native(stage, stage.victim, 'mkdir -p v; ./take watch v')).toContain('watched v'),
  },
  {
    name: 'thousands of connections with half a request keep no visitor of another customer out',
    order: ({ ports }) => `./spend connections 6000 1 ${ports.http}`,
    told: 'connections',
    most: Number.POSITIVE_INFINITY,
    outside: async (stage) => expect(await stage.visit(stage.victim, '/datos.html')).toBe('hola'),
  },
]

/** What is wrong for others as long as the program holds what it took; null when nothing is. */
async function whileSpending(stage: Stage, look: (stage: Stage) => Promise<void>): Promise<unknown> {
  const note = stage.at(join(stage.attacker.root, 'botin'))
  await eventually(
    async () => existsSync(note) && / \d+\n/.test(readFileSync(note, 'latin1')),
    'the spender',
    10_000,
  )
  return look(stage).then(
    () => null,
    (error) => error,
  )
}

const logBytes = ({ run, web }: Stage) => Number(run('du', '-sb', join(web, 'log')).output.split('\t')[0])

export function defineResources(stage: () => Stage): void {
  describe('the machine’s resources:', () => {
    for (const { name, order, told: what, most, outside } of SPENDING) {
      test(name, async () => {
        give(stage(), stage().victim, 'datos.html', 'hola', 0o644)
        give(stage(), stage().attacker, 'aqui.php', '<?php echo "aqui";')
        const returned = async () => (await stage().visit(stage().attacker, '/aqui.php')) === 'aqui'
        await eventually(returned, 'the attacker’s PHP')
        // It may be ended for what it took: what it told before counts.
        const running = spend(stage(), stage().attacker, `exec 2>/dev/null; ${order(stage())}`)
        const seen = outside && (await whileSpending(stage(), outside))
        const { told } = await running
        expect(seen ?? null).toBeNull()
        expect(last(told, what)).toBeGreaterThan(0)
        expect(last(told, what)).toBeLessThanOrEqual(most * NEAR)
      })
    }

    test('nothing that a customer prints, logs or sends to syslog makes a log of the panel grow', async () => {
      const before = logBytes(stage())
      const order = `timeout 3 perl -e '$x = "x" x 65536; for my $n (0 .. 20) { open my $f, ">&=", $n or next; next if -S $f || -f $f; syswrite $f, $x for 1 .. 400 }'; for n in 1 2 3 4 5 6 7 8; do logger -- "$(head -c 900 /dev/zero | tr '\\0' y)"; done; echo logged`
      expect(await native(stage(), stage().attacker, order)).toContain('logged')
      give(
        stage(),
        stage().attacker,
        'ataque.php',
        "<?php for ($i = 0; $i < 2000; $i++) { file_put_contents('php://stderr', str_repeat('z', 8000)); syslog(LOG_ALERT, str_repeat('w', 500)); } echo 'logged';",
      )
      expect(await stage().visit(stage().attacker, '/ataque.php')).toContain('logged')
      expect(logBytes(stage()) - before).toBeLessThan(1_000_000)
    })

    test('programs that fill one customer’s opcode cache leave another’s compiled', async () => {
      const big = `<?php return [${Array.from({ length: 60_000 }, (_, at) => `'clave${at}' => 'valor${at}'`).join()}];`
      // Its own time on the processor: others are busy besides.
      const timed =
        '<?php function t() { $u = getrusage(); return 1000 * $u["ru_utime.tv_sec"] + $u["ru_utime.tv_usec"] / 1000 + 1000 * $u["ru_stime.tv_sec"] + $u["ru_stime.tv_usec"] / 1000; } $t = t(); include "grande.php"; echo t() - $t;'
      const { attacker, victim } = stage()
      // PHP keeps no program that was written a moment ago.
      const old = (site: Site, name: string, content: string, seconds: number) => {
        give(stage(), site, name, content)
        utimesSync(
          stage().at(join(site.root, name)),
          Date.now() / 1000 - seconds,
          Date.now() / 1000 - seconds,
        )
      }
      old(victim, 'grande.php', big, 200)
      give(stage(), victim, 'tiempo.php', timed)
      const time = async () => Number(await stage().visit(victim, '/tiempo.php'))
      const first = await time()
      const cached = Math.min(await time(), await time(), await time())
      expect(cached).toBeLessThan(first / 3)
      give(
        stage(),
        attacker,
        'llena.php',
        `<?php for ($i = 6 * $_GET['n']; $i < 6 * $_GET['n'] + 6; $i++) { file_put_contents("g$i.php", str_replace('clave', "k$i", file_get_contents('grande.php'))); touch("g$i.php", time() - 100); include "g$i.php"; } echo 'full';`,
      )
      give(stage(), attacker, 'grande.php', big)
      for (let round = 0; round < 6; round++)
        expect(await stage().visit(attacker, `/llena.php?n=${round}`)).toBe('full')
      // What is compiled already stays; what is changed now finds no room.
      old(victim, 'grande.php', `${big} // new`, 100)
      await time()
      expect(Math.min(await time(), await time(), await time())).toBeLessThan(first / 3)
    })
  })
}
