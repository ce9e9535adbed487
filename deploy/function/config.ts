import type { PanelConfig } from '../../lib/endpoint/context.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { ConfigError, type Environment, readConfig } from '../config.ts'

/** A function host's settings, besides those that handlers read. */
export type FunctionConfig = {
  panel: PanelConfig
  databaseUrl: string
  databaseToken: Secret | null
  keys: Secret
  mailUrl: Secret | null
  mailToken: Secret | null
  /** DNS over HTTPS only: these hosts cannot send datagrams. */
  resolvers: string[]
  trustedProxies: string[]
  /** The header in which the host reports the caller's address; the host overwrites one that the caller sends. */
  peerHeader: string | null
  /** For tests: where the offset of the clock is asked for before each request. */
  testClock: string | null
}

/** The configuration (README, "Configuration") from the host's bindings; throws ConfigError with one line. */
export function readFunctionConfig(env: Environment): FunctionConfig {
  if (!env.PANEL_HOST) throw new ConfigError('PANEL_HOST must be set on a function host')
  if (env.PANEL_SMTP_URL) throw new ConfigError('PANEL_SMTP_URL is for nodes; use PANEL_MAIL_URL here')
  const port = env.PANEL_PORT ?? '443'
  const defaults = { node: null, host: env.PANEL_HOST, addresses: [] }
  const { panel, node } = readConfig({ ...env, PANEL_PORT: port }, defaults)
  if (node.databaseUrl === null || node.databaseUrl.startsWith('file:')) {
    throw new ConfigError('PANEL_DB_URL must be libsql:// or https:// on a function host')
  }
  if (node.keys === null) throw new ConfigError('PANEL_KEYS must be set: a function host has no key file')
  return {
    panel: { ...panel, mailConfigured: Boolean(env.PANEL_MAIL_URL) },
    databaseUrl: node.databaseUrl,
    databaseToken: node.databaseToken,
    keys: node.keys,
    mailUrl: mailUrl(env.PANEL_MAIL_URL, panel.test),
    mailToken: env.PANEL_MAIL_TOKEN ? new Secret(env.PANEL_MAIL_TOKEN) : null,
    resolvers: node.resolvers.filter((entry) => entry.startsWith('https://')),
    trustedProxies: node.trustedProxies,
    peerHeader: peerHeader(env.PANEL_PEER_HEADER),
    testClock: node.testClock,
  }
}

function mailUrl(value: string | undefined, test: boolean): Secret | null {
  if (!value) return null
  if (/^https:\/\/\S+$/.test(value) || (test && value.startsWith('http://127.0.0.1')))
    return new Secret(value)
  throw new ConfigError('PANEL_MAIL_URL must be https://')
}

function peerHeader(value: string | undefined): string | null {
  if (!value) return null
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(value))
    throw new ConfigError('PANEL_PEER_HEADER must be a header name')
  return value
}
