import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Panel } from '../support/panel.ts'

const OWN = ['wp-config.php', '.htaccess', 'wp-includes/version.php', 'wp-content/languages']
/** What WordPress's PHP never reads: more than half of its files. Debian's package is installed with all of them. */
const BROWSERS = ['wp-includes', 'wp-admin'].flatMap((folder) =>
  ['js', 'css', 'gif', 'jpg', 'png', 'svg', 'ttf', 'woff', 'woff2', 'eot'].map(
    (ending) => `${folder}/*.${ending}`,
  ),
)

/** A directory of packages like WordPress's own in Spanish, made of what Debian's brings. */
export function packages(): { directory: string; add(version: string, spoiled?: boolean): void } {
  const directory = mkdtempSync(join(tmpdir(), 'aplicaciones-'))
  const add = (version: string, spoiled = false) => {
    const name = `wordpress-${version}-es_ES.tar.gz`
    const tree = mkdtempSync(join(tmpdir(), 'wordpress-'))
    const file = 'wordpress/wp-includes/version.php'
    mkdirSync(join(tree, 'wordpress/wp-includes'), { recursive: true })
    const text = readFileSync(join('/usr/share', file), 'utf8')
    writeFileSync(join(tree, file), text.replace(/\$wp_version = '[^']*'/, `$wp_version = '${version}'`))
    const left = [...OWN, ...BROWSERS].map((path) => `--exclude=wordpress/${path}`)
    const kept = ['', 'admin-'].map((part) => `wordpress/wp-content/languages/${part}es_ES.mo`)
    const made = join(tree, 'made.tar')
    run('tar', '-chf', made, ...left, '-C', '/usr/share', 'wordpress')
    run('tar', '-rhf', made, '-C', '/usr/share', ...kept, '-C', tree, file)
    run('gzip', '-1', made)
    renameSync(`${made}.gz`, join(directory, name))
    rmSync(tree, { recursive: true })
    const sums = run('sh', '-c', `cd '${directory}' && sha256sum *.tar.gz`)
    writeFileSync(join(directory, 'SHA256SUMS'), spoiled ? sums.replace(/^[0-9a-f]{8}/gm, '00000000') : sums)
  }
  return { directory, add }
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout.toString()
}

/** A visitor of a site, with the cookies that it was given. */
export function visitor(panel: Panel, host: string) {
  const jar = new Map<string, string>()
  return async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('host', host)
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const options = { ...init, headers, redirect: 'manual' as const, keepalive: false }
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, options)
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }
  }
}
export type Visit = ReturnType<typeof visitor>

export const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes)

/** Calls WordPress's XML-RPC, as its apps do; answers the text of the answer. */
export async function rpc(visit: Visit, method: string, ...params: string[]): Promise<string> {
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params.map((one) => `<param><value>${one}</value></param>`).join('')}</params></methodCall>`
  const answer = await visit('/xmlrpc.php', { method: 'POST', body, headers: { 'content-type': 'text/xml' } })
  const text = textOf(answer)
  expect([answer.status, text.includes('<fault>') ? text : '']).toEqual([200, ''])
  return text
}

export const struct = (members: Record<string, string>) =>
  `<struct>${Object.entries(members)
    .map(([name, value]) => `<member><name>${name}</name><value>${value}</value></member>`)
    .join('')}</struct>`
