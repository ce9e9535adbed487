import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { addClient, startBases, type World } from '../bases/world.ts'
import { median } from './_measures.ts'
import { round } from './_web.ts'

const AS_IN_PRODUCTION = { PANEL_TEST_CLOCK: '', PANEL_LIMITE_PETICIONES: '1000000' }
const SMALL_BYTES = 4_096
const A_FOLDER = 1_000
/** One file in so many is new at the second copy. */
const CHANGED = 100
const QUIET_MS = 5_000

type Sizes = { files: number; mib: number }
type Copied = { seconds: number; cpuSeconds: number; visits: number[] }

/** Whole: `BENCH_FILES=100000 BENCH_MIB=10240 bun run bench backup`. */
const asked = (): Sizes => ({
  files: Number(process.env.BENCH_FILES ?? 10_000),
  mib: Number(process.env.BENCH_MIB ?? 512),
})

/**
 * The first and a second copy of many small files and some large ones, by the panel and by restic alone, as it is
 * without settings; and what another client's page takes meanwhile.
 */
export async function run(sizes: Sizes = asked()): Promise<void> {
  const world = await startBases({ ...ROOMY, ...AS_IN_PRODUCTION })
  const stores = mkdtempSync(join(tmpdir(), 'bench-stores-'))
  try {
    const folder = dirname(await addClient(world, 'banco'))
    const page = await addClient(world, 'tienda')
    writeFileSync(join(page, 'index.html'), 'x'.repeat(20_000), { mode: 0o644 })
    await world.panel.api('PUT', '/copias/destino', {
      bearer: world.admin.bearer,
      body: { tipo: 'carpeta', url: stores, contrasena: 'una frase del banco de pruebas' },
    })
    fill(folder, sizes)
    const quiet = await visiting(world, Bun.sleep(QUIET_MS))
    const plain = plainRestic(join(stores, 'plain'), join(folder, 'public'))
    await plain.init()
    const what = `${sizes.files} files of 4 KiB and ${sizes.mib} MiB`
    tell(`first copy, ${what}`, {
      plain: await timed(world, plain),
      own: await timed(world, own(world)),
      quiet,
    })
    change(folder, sizes)
    tell('second copy, one file in a hundred new', {
      ...{ plain: await timed(world, plain), own: await timed(world, own(world)), quiet },
    })
  } finally {
    await world.stop()
    rmSync(stores, { recursive: true, force: true })
  }
}

type Way = { run(): Promise<unknown>; cpuSeconds(): number }

function plainRestic(repository: string, folder: string): Way & { init(): Promise<unknown> } {
  let used = 0
  const restic = async (...argv: string[]) => {
    const env = { ...process.env, RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'x' }
    const child = Bun.spawn(['restic', '--no-cache', '--quiet', ...argv], { env, stdout: 'ignore' })
    if ((await child.exited) !== 0) throw new Error('restic alone')
    used += Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1e6
  }
  return { init: () => restic('init'), run: () => restic('backup', folder), cpuSeconds: () => used }
}

/** The panel's own time and that of the programs that it waited for; not of tar, which runs in the client's group. */
function own(world: World): Way {
  const { panel } = world
  return {
    async run() {
      const { tarea } = await world.done('POST', '/clientes/banco/copias')
      for (;;) {
        const { estado, resultado } = await world.done('GET', `/tareas/${tarea.id}`)
        if (estado === 'hecha' && resultado.estado === 'completa') return
        if (estado === 'fallida') throw new Error('the copy')
        await Bun.sleep(100)
      }
    },
    cpuSeconds() {
      const fields = readFileSync(`/proc/${panel.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
    },
  }
}

async function timed(world: World, way: Way): Promise<Copied> {
  const [began, used] = [performance.now(), way.cpuSeconds()]
  const visits = await visiting(world, way.run())
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: way.cpuSeconds() - used, visits }
}

/** How long each visit of another client's page took while something went on. */
async function visiting(world: World, meanwhile: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const over = meanwhile.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    if ((await world.get('tienda.es', '/index.html')).length !== 20_000) throw new Error('the page')
    times.push(performance.now() - began)
    await Bun.sleep(5)
  }
  await over
  return times
}

const slowest = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

function tell(what: string, { plain, own, quiet }: { plain: Copied; own: Copied; quiet: number[] }): void {
  const values = {
    plainSeconds: plain.seconds,
    ownSeconds: own.seconds,
    ratio: own.seconds / plain.seconds,
    cpuRatio: own.cpuSeconds / plain.cpuSeconds,
    quietMs: median(quiet),
    besidePlain: median(plain.visits) / median(quiet),
    besideOwn: median(own.visits) / median(quiet),
    slowestBesidePlain: slowest(plain.visits) / slowest(quiet),
    slowestBesideOwn: slowest(own.visits) / slowest(quiet),
  }
  const rounded = Object.entries(values).map(([name, value]) => [name, round(value)])
  console.log(JSON.stringify({ what, ...Object.fromEntries(rounded) }))
}

function fill(folder: string, { files, mib }: Sizes): void {
  for (let at = 0; at < files; at++) put(folder, at)
  const [large, size] = [join(folder, 'public/grandes'), Math.min(mib, 64)]
  mkdirSync(large, { recursive: true })
  for (let at = 0; at < mib / Math.max(size, 1); at++)
    Bun.spawnSync(['dd', 'if=/dev/urandom', `of=${join(large, String(at))}`, 'bs=1M', `count=${size}`], {
      stderr: 'ignore',
    })
  giveAll(folder)
}

function change(folder: string, { files }: Sizes): void {
  for (let at = 0; at < files; at += CHANGED) put(folder, at)
  giveAll(folder)
}

function put(folder: string, at: number): void {
  const home = join(folder, 'public', String(Math.floor(at / A_FOLDER)))
  if (at % A_FOLDER === 0) mkdirSync(home, { recursive: true })
  writeFileSync(join(home, `${at}.bin`), crypto.getRandomValues(new Uint8Array(SMALL_BYTES)))
}

const giveAll = (folder: string) =>
  Bun.spawnSync(['sh', '-c', 'chown -R --reference="$1/public" "$1"/public/*', 'sh', folder])
