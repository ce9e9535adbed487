import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError, type NodeConfig } from '../../config.ts'
import { databasePath, isShared } from '../database/open.ts'

const OTHERS = 0o077

/** Whether group or others have any right on a file, or on the target of a link; a missing file counts as closed. */
function isOpen(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && (found.mode & OTHERS) !== 0
  } catch {
    // Whoever reads the file reports that it cannot be reached.
    return false
  }
}

/** Refuses an operator's file with secrets that others can read, in one line that says how to close it. */
export function refuseOpen(path: string, setting?: string): void {
  if (!isOpen(path)) return
  const named = setting === undefined ? path : `${setting} ${path}`
  throw new ConfigError(`${named}: it holds secrets and others can read it: chmod 600 ${quoted(path)}`)
}

/** Refuses secrets that the operator keeps outside of the data directory where others can read them. */
export function refuseOpenFiles({ dataDir, keyFile, keys, tlsKey }: NodeConfig): void {
  if (keys === null && !isBelow(keyFile, dataDir)) refuseOpen(keyFile, 'PANEL_KEY_FILE')
  if (tlsKey !== null) refuseOpen(tlsKey, 'PANEL_TLS_KEY')
}

/** The panel's own files with secrets that others can read: the panel made them closed, and somebody opened them. */
export function ownOpenFiles(config: NodeConfig): string[] {
  const { dataDir, keyFile } = config
  const tls = ['panel.key', 'authority.pem'].map((name) => join(dataDir, 'tls', name))
  const names = ['clave', 'pdns.conf'].map((name) => join(dataDir, 'dns', name))
  const keyRing = isBelow(keyFile, dataDir) ? [keyFile] : []
  const mails = namesIn(join(dataDir, 'correo')).map((name) => join(dataDir, 'correo', name))
  return [...databaseFiles(config), ...keyRing, ...tls, ...names, ...mails].filter(isOpenFile)
}

/** Closes the panel's own files; returns those that were open. */
export function closeOwnFiles(config: NodeConfig): string[] {
  const open = ownOpenFiles(config)
  for (const path of open) chmodSync(path, 0o600)
  return open
}

/** The database, its journals and the copies that were made before a migration or an upgrade. */
function databaseFiles(config: NodeConfig): string[] {
  const copy = join(config.dataDir, 'antes-de-actualizar.db')
  if (isShared(config)) return [copy]
  const path = databasePath(config)
  const name = basename(path)
  const kin = namesIn(dirname(path)).filter((one) => one === name || one.startsWith(`${name}-`))
  const before = namesIn(dirname(path)).filter((one) => one.startsWith(`${name}.before-`))
  return [...[...kin, ...before].map((one) => join(dirname(path), one)), copy]
}

/** Whether a file is open. The panel makes no links, so a link is the operator's. */
function isOpenFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && isOpen(path)
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

const isBelow = (path: string, directory: string) => resolve(path).startsWith(`${resolve(directory)}/`)

/** As a shell reads it. */
export const quoted = (path: string) =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
