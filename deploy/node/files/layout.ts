import { join } from 'node:path'

const HOST_NAME =
  /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/
const BASE = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const PHP_VERSION = /^[0-9]{1,2}\.[0-9]{1,2}$/

/** In a site's folder, beside what is served: where files lie that are not whole yet, so that one rename ends them. */
export const STAGING = '.controlpanel'

/** In the staging folder: the bin of the site's files. */
export const BIN = 'papelera'

/** In a site's folder, empty: where its owner is shown its logs. */
const SHOWN_LOGS = 'registros'

/** Longest base directory: a UNIX socket's path holds 107 bytes, and the longest below it takes 36. */
const BASE_MAX = 71

/**
 * Where everything of the node's web part lies. One-letter names, because they are part of paths that the
 * web server resolves for each request and that a socket's address must hold:
 *
 * - `h/<host>` → `../k/<client>/<site>`, the routing table
 * - `n/<host>` → `<client>_<site>_<marks>`, a file beside it: the same in one look, for the web server; of a site with
 *   settings of its own a directory, and the way in it, `<flags>-<key>-<times>,<index>/<document root>`, tells them
 * - `k/<client>` → `../c/<client>` or, suspended, `../x/<client>`
 * - `c/<client>/<site>/public` the document root; everything above it belongs to root
 * - `x/<client>/public` empty, where every site of a suspended client leads
 * - `o/<host>` present: plain HTTP is redirected to HTTPS
 * - `t/<host>` certificate chain and key of the name, or a link to `s-<site>`, the site's self-signed one
 * - `p/<site>` → `../f/<version>`, present where the site runs PHP; `f/<version>/<client>.s` is its socket
 * - `e/s<site>` → a file beside it, by whose name the site's pages are kept; `e/f<site>` its files, by browsers
 * - `e/c<site>` → no file, but a text: what `n/` tells of its settings; `g/<site>-<key>/` its rules, by their paths
 * - `f/site/<site>` limits of the site's PHP, where it has its own
 * - `m/<site>.json` the names that a site had, so that a killed change can be finished
 * - `l/<site>/` the site's logs, which count for nobody; its owner sees them as `registros`
 * - `bin/` what was deleted, readable by root alone
 * - `recovering` present while what a lost node held is being brought back
 */
export type Layout = ReturnType<typeof createLayout>

/** Paths below `base`; throws a TypeError for a base that could not stand in a rendered configuration. */
export function createLayout(base: string) {
  if (!BASE.test(base)) throw new TypeError(`the data directory's path has unsupported characters: ${base}`)
  if (base.length > BASE_MAX) throw new TypeError(`the data directory's path is longer than ${BASE_MAX}`)
  const at = (...parts: string[]) => join(base, ...parts)
  return {
    base,
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
    recovering: at('recovering'),
    acme: at('acme'),
    run: at('run'),
    nginx: at('nginx'),
    httpsOnlyMark: (name: string) => at('o', hostName(name)),
    client: (clientId: number) => at('c', id(clientId)),
    clientLink: (clientId: number) => at('k', id(clientId)),
    suspendedClient: (clientId: number) => at('x', id(clientId)),
    site: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId)),
    staging: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId), STAGING),
    publicOf: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId), 'public'),
    phpLink: (siteId: number) => at('p', id(siteId)),
    manifest: (siteId: number) => at('m', `${id(siteId)}.json`),
    fpmWanted: at('f', 'wanted'),
    fpmSites: at('f', 'site'),
    fpmSite: (siteId: number) => at('f', 'site', id(siteId)),
    fpmVersion: (version: string) => at('f', phpVersion(version)),
    ...namePlaces(at),
    ...certificatePlaces(at),
    ...{ ...cachePlaces(at), ...rulePlaces(at), ...logPlaces(at), ...mailPlaces(at) },
  }
}

const certificatePlaces = (at: (...parts: string[]) => string) => ({
  certificate: (name: string) => at('t', hostName(name)),
  /** Where a certificate of an authority's is, which the name's own path leads to; no host's name has a comma. */
  certificateSlot: (name: string, slot: number) => at('t', `${hostName(name)},${id(slot)}`),
  /** A name of one label, which no host of a site has. */
  siteCertificate: (siteId: number) => at('t', `s-${id(siteId)}`),
})

/** Where the clients' databases are. */
export const mariadbDirectory = ({ base }: Pick<Layout, 'base'>): string => join(base, 'mariadb')

function namePlaces(at: (...parts: string[]) => string) {
  return {
    hosts: at('h'),
    host: (name: string) => at('h', hostName(name)),
    names: at('n'),
    shownHost: (name: string) => at('n', hostName(name)),
    shown: (name: string) => at('n', shownName(name)),
  }
}

function logPlaces(at: (...parts: string[]) => string) {
  return {
    logs: at('log'),
    accessLog: at('log', 'access.log'),
    siteLogs: at('l'),
    logsOf: (siteId: number) => at('l', id(siteId)),
    shownLogs: (clientId: number, siteId: number) => at('c', id(clientId), id(siteId), SHOWN_LOGS),
  }
}

function mailPlaces(at: (...parts: string[]) => string) {
  return {
    fpmMail: at('f', 'mail'),
    /** What a client's programs are told about their mail; it is root's, and shown in the client's cages. */
    toldOfMail: (clientId: number) => at('f', 'mail', id(clientId)),
  }
}

function cachePlaces(at: (...parts: string[]) => string) {
  return {
    policies: at('e'),
    pageSwitch: (siteId: number) => at('e', `s${id(siteId)}`),
    pagePolicy: (name: string) => at('e', policyName(name)),
    longLivedMark: (siteId: number) => at('e', `f${id(siteId)}`),
    /** Pages of programs that are kept for a while. */
    pages: at('nginx', 'pages'),
    /** Passed by the web server's workers alone. */
    internal: at('nginx', 'internal'),
    purgeSocket: at('nginx', 'internal', 'purge'),
  }
}

function rulePlaces(at: (...parts: string[]) => string) {
  return {
    documents: (clientId: number, siteId: number, root: string) =>
      at('c', id(clientId), id(siteId), documentRoot(root)),
    settingsMark: (siteId: number) => at('e', `c${id(siteId)}`),
    rules: at('g'),
    rulesOf: (siteId: number, key: string) => at('g', `${id(siteId)}-${settingsKey(key)}`),
  }
}

function settingsKey(key: string): string {
  if (!/^[0-9a-f]{12}$/.test(key)) throw new TypeError('not the key of settings')
  return key
}

/** Whether it is a name that a site can have. */
export const isHostName = (name: string): boolean => HOST_NAME.test(name)

/** The name itself when it is one of at least two labels in lower-case A-label form; throws otherwise. */
export function hostName(name: string): string {
  if (!isHostName(name)) throw new TypeError('not a host name')
  return name
}

function shownName(name: string): string {
  if (!/^[1-9][0-9]*_[1-9][0-9]*_sx?o?f?[cl]?$/.test(name)) throw new TypeError('not what a name leads to')
  return name
}

function policyName(name: string): string {
  if (!/^[0-9]+-[0-9a-f]+-[0-9]+-[A-Za-z0-9_,-]*$/.test(name)) throw new TypeError('not the name of a policy')
  return name
}

const DOCUMENT_ROOT =
  /^(?=.{1,200}$)(?!registros(?:\/|$))[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/

/** Whether a name below a site's folder can be what is served. */
export const isDocumentRoot = (root: string): boolean => DOCUMENT_ROOT.test(root)

/** Directories from a site's folder down, in letters that a configuration can hold; throws otherwise. */
export function documentRoot(root: string): string {
  if (!isDocumentRoot(root)) throw new TypeError('not a document root')
  return root
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
