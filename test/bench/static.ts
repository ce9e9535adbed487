import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startNode } from '../node/support.ts'
import { compareKeptPage } from './_kept.ts'
import { pressure, round, withNginx } from './_web.ts'

const ROUNDS = 3
const HOST = 'banco.es'
const FILES = { 'small.css': 1024, 'picture.jpg': 32 * 1024, 'film.mp4': 1024 * 1024 }

/**
 * What a static file costs nginx with everything that the panel's configuration looks up and guards, beside a
 * server block that only has a root. The two take turns, so that what else the machine does falls on both.
 */
export async function run(): Promise<void> {
  await using node = await startNode()
  await node.client(1)
  await node.site(1, 11, HOST)
  const main = node.node.supervisor.processOf('nginx')?.pid ?? 0
  await compareKeptPage(node)
  await withNginx(async (directory, port) => {
    for (const [name, bytes] of Object.entries(FILES)) {
      node.put(1, 11, name, 'x'.repeat(bytes))
      await writeFile(join(directory, name), 'x'.repeat(bytes), { mode: 0o644 })
    }
    return {
      blocks: `server { listen 127.0.0.1:${port}; root ${directory}; }`,
      async measure(plain) {
        for (const name of Object.keys(FILES)) {
          const panels = () => pressure(`http://127.0.0.1:${node.options.httpPort}/${name}`, HOST, main)
          const plains = () => pressure(`http://127.0.0.1:${port}/${name}`, 'x', plain.main)
          await compare(name, panels, plains)
        }
      },
    }
  })
}

type Measure = () => ReturnType<typeof pressure>

async function compare(what: string, panels: Measure, plains: Measure): Promise<void> {
  const [costs, plainCosts]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < ROUNDS; turn++) {
    plainCosts.push((await plains()).nginxMicroseconds)
    costs.push((await panels()).nginxMicroseconds)
  }
  // What else runs here only ever adds to a cost.
  const [own, plain] = [Math.min(...costs), Math.min(...plainCosts)]
  console.log(
    JSON.stringify({ what, panelMicroseconds: own, plainMicroseconds: plain, ratio: round(own / plain) }),
  )
}
