import { join } from 'node:path'

const HOST_NAME =
  /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/
const BASE = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const PHP_VERSION = /^[0-9]{1,2}\.[0-9]{1,2}$/

/** Longest base directory: a UNIX socket's path holds 107 bytes, and the longest below it takes 36. */
export const BASE_MAX = 71

/**
 * Where everything of the node's web part lies. One-letter names, because they are part of paths that the
 * web server resolves for each request and that a socket's address must hold:
 *
 * - `h/<host>` → `../k/<client>/<site>`, the routing table
 * - `k/<client>` → `../c/<client>` or, suspended, `../x/<client>`
 * - `c/<client>/<site>/public` the document root; everything above it belongs to root
 * - `x/<client>/public` empty, where every site of a suspended client leads
 * - `o/<host>` present: plain HTTP is redirected to HTTPS
 * - `t/<host>` certificate chain and key of the name, or a link to `s-<site>`, the site's self-signed one
 * - `p/<site>` → `../f/<version>/b<block>`, present where the site runs PHP
 * - `m/<site>.json` the names that a site had, so that a killed change can be finished
 * - `bin/` what was deleted, readable by root alone
 */
export type Layout = ReturnType<typeof createLayout>

/** Paths below `base`; throws a TypeError for a base that could not stand in a rendered configuration. */
export function createLayout(base: string) {
  if (!BASE.test(base)) throw new TypeError(`the data directory's path has unsupported characters: ${base}`)
  if (base.length > BASE_MAX) throw new TypeError(`the data directory's path is longer than ${BASE_MAX}`)
  const at = (...parts: string[]) => join(base, ...parts)
  return {
    base,
    hosts: at('h'),
    links: at('k'),
    clients: at('c'),
    suspended: at('x'),
    httpsOnly: at('o'),
    certificates: at('t'),
    php: at('p'),
    fpm: at('f'),
    manifests: at('m'),
    bin: at('bin'),
    restored: at('restored'),
    temporary: at('tmp'),
    acme: at('acme'),
    run: at('run'),
    logs: at('log'),
    nginx: at('nginx'),
    accessLog: at('log', 'access.log'),
    host: (name: string) => at('h', hostName(name)),
    httpsOnlyMark: (name: string) => at('o', hostName(name)),
    certificate: (name: string) => at('t', hostName(name)),
    /** A name of one label, which no host of a site has. */
    siteCertificate: (siteId: number) => at('t', `s-${id(siteId)}`),
    client: (clientId: number) => at('c', id(clientId)),
    clientLink: (clientId: number) => at('k', id(clientId)),
    suspendedClient: (clientId: number) => at('x', id(clientId)),
    site: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId)),
    publicOf: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId), 'public'),
    phpLink: (siteId: number) => at('p', id(siteId)),
    manifest: (siteId: number) => at('m', `${id(siteId)}.json`),
    fpmVersion: (version: string) => at('f', phpVersion(version)),
  }
}

/** The name itself when it is one of at least two labels in lower-case A-label form; throws otherwise. */
export function hostName(name: string): string {
  if (!HOST_NAME.test(name)) throw new TypeError('not a host name')
  return name
}

/** An identifier as a path segment; throws for what is no positive safe integer. */
export function id(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError('not an identifier')
  return String(value)
}

/** A PHP version such as `8.2`; throws otherwise. */
export function phpVersion(version: string): string {
  if (!PHP_VERSION.test(version)) throw new TypeError('not a PHP version')
  return version
}
