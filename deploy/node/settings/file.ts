import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, type Environment } from '../../config.ts'
import { plainFault } from '../../http/errors.ts'
import { refuseStranger } from '../host/data-directory.ts'
import { refuseFile } from './paths.ts'
import { refuseOpen } from './secret-files.ts'

const PATHS = ['PANEL_DATA', 'PANEL_KEY_FILE', 'PANEL_TLS_CERT', 'PANEL_TLS_KEY', 'PANEL_ACME_CA']
const SECRETS = /^PANEL_(?:DB_TOKEN|KEYS|CRON_SECRET|METRICS_TOKEN)$/

/**
 * The settings of a node: the environment's, then those of `panel.env` in the data directory. A settings file with
 * secrets that others can read is refused, even one that systemd has already read (`PANEL_SETTINGS`).
 */
export function settingsOf(env: Environment): Environment & { PANEL_DATA: string } {
  refuseRelative(env)
  const dataDir = resolve(env.PANEL_DATA || './data')
  const file = join(dataDir, 'panel.env')
  refuseFile(dataDir)
  refuseStranger(dataDir, join(dataDir, 'panel.db'), file)
  const fromFile = readSettings(file)
  if (holdsSecret(fromFile)) refuseOpen(file)
  if (env.PANEL_SETTINGS && holdsSecret(lenient(textOf(env.PANEL_SETTINGS) ?? '')))
    refuseOpen(env.PANEL_SETTINGS)
  if (fromFile.PANEL_DATA !== undefined)
    throw new ConfigError(`${file}: PANEL_DATA says where this file is: set it in the environment`)
  refuseRelative({ ...fromFile, PANEL_CWD: env.PANEL_CWD, PANEL_COMMAND: env.PANEL_COMMAND })
  return { ...fromFile, ...env, PANEL_DATA: dataDir }
}

/**
 * The wrapper scripts change to the checkout or a release, where a relative path would name another file, which the
 * next upgrade removes.
 */
function refuseRelative(env: Environment): void {
  const elsewhere = env.PANEL_COMMAND || (env.PANEL_CWD && resolve(env.PANEL_CWD) !== process.cwd())
  const relative = (value: string) => !value.startsWith('/')
  const file = /^file:[^/]/.test(env.PANEL_DB_URL ?? '') ? 'PANEL_DB_URL' : undefined
  const name = PATHS.find((one) => env[one] && relative(env[one])) ?? file
  if (elsewhere && name)
    throw new ConfigError(`${name}: ${env[name]} is no absolute path: write it from / on`)
}

/** `NAME=value` lines; `#` comments and blank lines are skipped, quotes around a value dropped. */
function readSettings(path: string): Environment {
  const env: Environment = {}
  for (const [at, line] of (textOf(path) ?? '').split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name, value] = settingOn(line) ?? []
    if (!name) throw new ConfigError(`${path}: line ${at + 1} is not NAME=value`)
    if (env[name] !== undefined) throw new ConfigError(`${path}: ${name} is given twice`)
    env[name] = value?.replace(/^(["'])(.*)\1$/, '$2') ?? ''
  }
  return env
}

/** Reads a file that another program parses by its own rules: takes whatever looks like a setting. */
const lenient = (text: string): Environment =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = settingOn(line) ?? []
      return name ? [[name, value]] : []
    }),
  )

const settingOn = (line: string) => /^\s*([A-Z_][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line)

function holdsSecret(env: Environment): boolean {
  return Object.entries(env).some(
    ([name, value]) =>
      value && (SECRETS.test(name) || (/^PANEL_(?:SMTP|DB)_URL$/.test(name) && /@|authToken=/.test(value))),
  )
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // Whatever is wrong with the data directory is reported when it is made.
    if (error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR)$/.test(String(error.code)))
      return null
    throw new ConfigError(`${path}: ${plainFault(error)}`)
  }
}
