import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { sql } from '../bases/sql.ts'
import { addClient, command, startBases, type World } from '../bases/world.ts'

const DATABASES = Number(process.env.DATABASES ?? 5_000)
const PER_CLIENT = 50
const AT_ONCE = 4

/** Creating databases through the API, measuring all of them, and what MariaDB's memory is before and after. */
export async function run(): Promise<void> {
  const world = await startBases(ROOMY)
  try {
    await addClient(world, 'c0')
    await world.done('POST', '/bases', { cliente: 'c0', base: 'primera' })
    tell('mariadb idle', { MB: memoryOf(world) })
    const clients = Math.ceil(DATABASES / PER_CLIENT)
    for (let n = 1; n <= clients; n++) await addClient(world, `c${n}`)
    const began = performance.now()
    let next = 0
    const make = async () => {
      for (let n = next++; n < DATABASES; n = next++) {
        await world.done('POST', '/bases', { cliente: `c${1 + (n % clients)}`, base: `b${n}` })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, make))
    const ms = performance.now() - began
    tell(`${DATABASES} databases created`, { perSecond: Math.round((1000 * DATABASES) / ms) })
    const tables = Array.from({ length: DATABASES }, (_, n) => `c${1 + (n % clients)}_b${n}`)
    await sql(world, null, tables.map((base) => `create table ${base}.t (a int);`).join('\n'))
    await measure(world)
    tell('mariadb with them', { MB: memoryOf(world) })
  } finally {
    await world.stop()
  }
}

/** By the command, once the panel is not at it itself. */
async function measure(world: World): Promise<void> {
  for (;;) {
    const began = performance.now()
    const { ejecutada, resultado } = await command(world, 'cron', 'bases')
    const what = `${resultado.medidas} databases measured, command included`
    if (ejecutada) return tell(what, { ms: Math.round(performance.now() - began) })
  }
}

const tell = (what: string, values: Record<string, number>) =>
  console.log(`  ${JSON.stringify({ what, ...values })}`)

/** Of its main process, without what it shares. */
function memoryOf({ socket }: World): number {
  const pid = readFileSync(join(dirname(dirname(socket)), 'data', 'mariadbd.pid'), 'utf8').trim()
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
