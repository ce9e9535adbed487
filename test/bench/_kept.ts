import type { TestNode } from '../node/support.ts'
import { pressure, round } from './_web.ts'

const PAGE_BYTES = 20_000
const ROUNDS = 3

/** A page that is kept, of the size of a blog's, beside a file of the same size and the same site. */
export async function compareKeptPage(node: TestNode): Promise<void> {
  const main = node.node.supervisor.processOf('nginx')?.pid ?? 0
  const pages = { seconds: 86_400, parameters: [] }
  await node.site(1, 12, 'paginas.es', { cache: { pages, longLivedFiles: false } })
  node.put(1, 12, 'pagina.html', 'x'.repeat(PAGE_BYTES))
  node.put(1, 12, 'index.php', `<?php echo str_repeat('x', ${PAGE_BYTES});`)
  const origin = `http://127.0.0.1:${node.options.httpPort}`
  const costs = { file: [] as number[], page: [] as number[] }
  for (let turn = 0; turn < ROUNDS; turn++) {
    costs.file.push((await pressure(`${origin}/pagina.html`, 'paginas.es', main)).nginxMicroseconds)
    costs.page.push((await pressure(`${origin}/2026/11/hola/`, 'paginas.es', main)).nginxMicroseconds)
  }
  const [file, page] = [Math.min(...costs.file), Math.min(...costs.page)]
  const rate = round(file / page)
  console.log(JSON.stringify({ what: 'kept page', fileMicroseconds: file, pageMicroseconds: page, rate }))
}
