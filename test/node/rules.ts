import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredRules, DesiredSite } from '../../lib/endpoint/node-port.ts'
import { startNode, type TestNode } from './support.ts'

export const rules = (some: Partial<DesiredRules>): { rules: DesiredRules } => ({
  rules: { webRoot: 'public', singlePage: false, redirects: [], guards: [], ...some },
})

export const secretOf = (password: string): string => {
  const salt = 'sal'
  const digest = createHash('sha1').update(`${password}${salt}`).digest()
  return `{SSHA}${Buffer.concat([digest, Buffer.from(salt)]).toString('base64')}`
}

export const location = (headers: string) => /^location: (.*)$/im.exec(headers)?.[1]?.trim() ?? null

export type RulesNode = Awaited<ReturnType<typeof startRules>>

/** What the web server calls an error of its own, line by line. */
export const ownErrors = ({ node }: TestNode): string[] =>
  readFileSync(join(node.layout.logs, 'nginx-error.log'), 'utf8')
    .split('\n')
    .filter((line) => /\[(?:crit|alert|emerg)\]|cycle/.test(line))

/** A node with two clients' sites; `site` applies rules to the first. */
export async function startRules() {
  const node = await startNode()
  const site = (some: Partial<DesiredRules>, more: Partial<DesiredSite> = {}) =>
    node.site(1, 11, 'uno.es', { aliases: ['www.uno.es'], ...rules(some), ...more })
  await node.client(1)
  await node.client(2)
  await site({})
  await node.site(2, 21, 'dos.es')
  node.put(1, 11, 'index.html', 'portada')
  node.put(2, 21, 'index.html', 'PRIVADO de dos')
  return { node, site }
}
