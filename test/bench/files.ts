import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { clientsOf, keyPair, type Login } from '../sftp/client.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { plainSsh } from '../support/plain-ssh.ts'
import { freePort } from '../support/ports.ts'

const SITE = 'banco.es'
/** Under test the clock is a file that is read at every look, and every answer is validated against its schema. */
const AS_IN_PRODUCTION = { PANEL_TEST: '', PANEL_TEST_CLOCK: '' }
const AT_ONCE = 8

type Sizes = { mib: number; small: number; names: number }
type World = {
  panel: Panel
  bearer: string
  /** The document root, as root sees it. */
  root: string
  ours: Way
  plain: Way
  scratch: string
}
/** A way by SFTP, with the folder that things go to. */
type Way = { tools: ReturnType<typeof clientsOf>; login: Login; folder: string }

/**
 * One large file, many small ones and a folder of many names, by the panel's API and by its SFTP, beside an OpenSSH
 * server without the panel; and what the panel's memory grows by meanwhile.
 */
export async function run(sizes: Sizes = { mib: 1024, small: 10_000, names: 100_000 }): Promise<void> {
  const { world, stop } = await startWorld()
  try {
    await large(world, sizes.mib)
    await small(world, sizes.small)
    await listing(world, sizes.names)
  } finally {
    await stop()
  }
}

async function startWorld(): Promise<{ world: World; stop: () => Promise<void> }> {
  const port = await freePort()
  const env = { ...AS_IN_PRODUCTION, ...ROOMY, PANEL_SFTP_PORT: String(port) }
  const panel = await Panel.start({ env })
  const admin = await firstAdmin(panel)
  const bearer = await newToken(panel, admin)
  await newCustomer(panel, bearer, 'banco')
  const ask = async (method: string, path: string, body: object, by = bearer) => {
    const answer = await panel.api(method, path, { bearer: by, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { raiz } = await ask('POST', '/sitios', { cliente: 'banco', domain: SITE })
  const key = await keyPair('-t', 'ed25519')
  await ask('POST', '/clientes/banco/cuentas-sftp', { cuenta: 'banco' })
  await ask('PUT', '/clientes/banco/cuentas-sftp/banco/llaves', { llaves: [key.line] }, admin.bearer)
  const plain = await plainSsh(key.line)
  const scratch = join(panel.dataDir, 'scratch')
  mkdirSync(scratch)
  return {
    world: {
      ...{ panel, bearer, root: raiz, scratch },
      ours: {
        tools: clientsOf(port),
        login: { account: 'banco', key: key.file },
        folder: `/sitios/${SITE}/public`,
      },
      plain: {
        tools: clientsOf(plain.port),
        login: { account: 'root', key: key.file },
        folder: plain.directory,
      },
    },
    async stop() {
      await plain.stop()
      rmSync(plain.directory, { recursive: true })
      await panel.stop()
    },
  }
}

const memory = ({ panel }: World) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${panel.pid}/status`, 'utf8'))?.[1]) / 1024

/** How long something takes, and by how many MiB the panel grew at most meanwhile. */
async function timed(
  world: World,
  work: () => Promise<unknown>,
): Promise<{ seconds: number; grown: number }> {
  const before = memory(world)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory(world))
  }, 20)
  const began = performance.now()
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return { seconds: (performance.now() - began) / 1000, grown: Math.max(most, memory(world)) - before }
}

const content = (name: string) => `/sitios/${SITE}/archivos/contenido?ruta=/public/${name}`

async function sftp({ tools, login }: Way, ...commands: string[]): Promise<void> {
  const { code, out } = await tools.sftp(login, ...commands)
  if (code !== 0) throw new Error(out)
}

async function curl({ panel, bearer }: World, ...more: string[]): Promise<void> {
  const known = ['-sS', '--fail', '--cacert', panel.certPath, '-H', `Authorization: Bearer ${bearer}`]
  const target = `https://localhost:${panel.port}/api${content('api.bin')}`
  const child = Bun.spawn(['curl', ...known, ...more, target], { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error('curl')
}

async function large(world: World, mib: number): Promise<void> {
  const { ours, plain, scratch, root } = world
  const [source, back] = [join(scratch, 'source'), join(scratch, 'back')]
  Bun.spawnSync(['dd', 'if=/dev/urandom', `of=${source}`, 'bs=1M', `count=${mib}`], { stderr: 'ignore' })
  const told = (way: string, up: { seconds: number; grown: number }, down: typeof up) => {
    if (statSync(back).size !== mib * 1024 ** 2) throw new Error(`${way}: not whole`)
    rmSync(back)
    return { up: mib / up.seconds, down: mib / down.seconds, grown: Math.max(up.grown, down.grown) }
  }
  const by = async (way: Way) => {
    const up = await timed(world, () => sftp(way, `put ${source} ${way.folder}/sftp.bin`))
    return told('SFTP', up, await timed(world, () => sftp(way, `get ${way.folder}/sftp.bin ${back}`)))
  }
  const alone = await by(plain)
  rmSync(join(plain.folder, 'sftp.bin'))
  const own = await by(ours)
  rmSync(join(root, 'sftp.bin'))
  const up = await timed(world, () => curl(world, '-T', source))
  const api = told('API', up, await timed(world, () => curl(world, '-o', back)))
  rmSync(join(root, 'api.bin'))
  for (const way of ['up', 'down'] as const)
    print(`${mib} MiB ${way}`, {
      plainPerSecond: alone[way],
      sftpPerSecond: own[way],
      sftpRatio: own[way] / alone[way],
      apiPerSecond: api[way],
      apiRatio: api[way] / alone[way],
    })
  print(`${mib} MiB up and down by the API`, { panelGrownMiB: api.grown })
}

async function small(world: World, count: number): Promise<void> {
  const { panel, bearer, ours, plain, scratch } = world
  const folder = join(scratch, 'small')
  mkdirSync(folder)
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `f${n}.txt`), `file ${n}\n`.repeat(50))
  const by = (way: Way) => timed(world, () => sftp(way, `put -r ${folder} ${way.folder}/`))
  const alone = await by(plain)
  const own = await by(ours)
  let next = 0
  const put = async () => {
    for (let n = next++; n < count; n = next++) {
      const raw = `file ${n}\n`.repeat(50)
      const { status } = await panel.api('PUT', content(`small/a${n}.txt`), { bearer, raw })
      if (status !== 201) throw new Error(`a file: ${status}`)
    }
  }
  const api = await timed(world, () => Promise.all(Array.from({ length: AT_ONCE }, put)))
  print(`${count} files of 500 bytes`, {
    plainPerSecond: count / alone.seconds,
    sftpPerSecond: count / own.seconds,
    sftpRatio: alone.seconds / own.seconds,
    apiPerSecond: count / api.seconds,
    apiRatio: alone.seconds / api.seconds,
    panelGrownMiB: api.grown,
  })
}

async function listing(world: World, count: number): Promise<void> {
  const { panel, bearer, root, ours, plain } = world
  for (const folder of [join(root, 'many'), join(plain.folder, 'many')]) {
    mkdirSync(folder, { mode: 0o755 })
    for (let n = 0; n < count; n++) writeFileSync(join(folder, `n${n}`), '')
  }
  const page = async (from: string) => {
    const path = `/sitios/${SITE}/archivos?ruta=/public/many&limite=200${from}`
    const { status, body } = await panel.api('GET', path, { bearer })
    if (status !== 200) throw new Error(`a page: ${status}`)
    return body
  }
  const first = await timed(world, () => page(''))
  const all = await timed(world, async () => {
    for (let from = ''; ; ) {
      const { siguiente } = await page(from)
      if (siguiente === null) return
      from = `&desde=${encodeURIComponent(siguiente)}`
    }
  })
  const by = (way: Way) => timed(world, () => sftp(way, `ls -1 ${way.folder}/many`))
  const [alone, own] = [await by(plain), await by(ours)]
  print(`${count} names`, {
    plainMs: alone.seconds * 1000,
    sftpMs: own.seconds * 1000,
    firstPageMs: first.seconds * 1000,
    allPagesMs: all.seconds * 1000,
    panelGrownMiB: Math.max(first.grown, all.grown),
  })
}

function print(what: string, values: Record<string, number>): void {
  const rounded = Object.entries(values).map(([key, value]) => [key, Number(value.toPrecision(3))])
  console.log(JSON.stringify({ what, ...Object.fromEntries(rounded) }))
}
