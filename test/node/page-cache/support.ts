import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyPages } from '../../../deploy/node/web/cache/policy.ts'
import type { DesiredCache } from '../../../lib/endpoint/node-port.ts'
import { type Answer, startNode, type TestNode } from '../support.ts'

/** A program that counts its runs, tells its request, and sends the headers that it is asked for. */
export const PAGE = `<?php
$n = __DIR__ . '/../../tmp/n';
file_put_contents($n, (string) ((int) @file_get_contents($n) + 1));
parse_str($_SERVER['QUERY_STRING'], $q);
foreach (['cc' => 'Cache-Control', 'vary' => 'Vary', 'expires' => 'Expires', 'type' => 'Content-Type'] as $k => $h)
  if (isset($_SERVER['HTTP_X_' . strtoupper($k)]) || isset($q[$k])) header($h . ': ' . ($q[$k] ?? ''));
if (isset($q['set'])) setcookie('c', '1');
if (isset($q['status'])) http_response_code((int) $q['status']);
echo trim(file_get_contents($n)), '|', json_encode(['m' => $_SERVER['REQUEST_METHOD'], 'u' => $_SERVER['REQUEST_URI'],
  'h' => array_filter($_SERVER, fn ($k) => str_starts_with($k, 'HTTP_'), ARRAY_FILTER_USE_KEY), 's' => $_SERVER['SCRIPT_NAME'],
  'p' => $_SERVER['PATH_INFO'] ?? '', 'f' => $_SERVER['SCRIPT_FILENAME'], 'r' => $_SERVER['REQUEST_SCHEME']]);`
/** The parameters of a query that are a part of a page's key. */
export const LISTED = ['cc', 'vary', 'expires', 'type', 'set', 'status', 'pagina']
/** A site's setting under which its pages are kept for so long. */
export const cache = (seconds = 60): DesiredCache => ({
  pages: { seconds, parameters: LISTED },
  longLivedFiles: false,
})

/** What an answer says of the cache. */
export const told = ({ headers }: Answer) => /^X-Cache: (\S+)/im.exec(headers)?.[1] ?? null

/** A node on which the sites of two clients, `uno.es` (`www.uno.es`) and `dos.es`, have their pages kept. */
export async function startCaching() {
  const node = await startNode()
  for (const client of [1, 2]) {
    await node.client(client)
    await node.site(client, client * 10, client === 1 ? 'uno.es' : 'dos.es', {
      cache: cache(),
      aliases: client === 1 ? ['www.uno.es'] : [],
    })
    node.put(client, client * 10, 'index.php', PAGE)
  }
  const ask = (path = '/', extra: string[] = [], host = 'uno.es') => node.get(host, path, extra)
  return {
    node,
    ask,
    /** What a path is told the first and the second time. */
    twice: (path: string, extra: string[] = []) => [told(ask(path, extra)), told(ask(path, extra))],
    /** Has no page kept any more. */
    empty() {
      for (const siteId of [10, 20]) emptyPages(node.node.layout, { siteId })
    },
  }
}
export type CachingNode = Awaited<ReturnType<typeof startCaching>>

/** What the web server wrote into its error log, line by line. */
export const errorsOf = ({ node }: TestNode): string[] =>
  readFileSync(join(node.layout.logs, 'nginx-error.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
