import { Database } from 'bun:sqlite'
import { spawn } from 'node:child_process'
import { chownSync, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { NOBODY } from '../../../lib/backups/destination/decide-owner.ts'
import type { Kept, Repository } from '../../../lib/endpoint/ports/backups.ts'
import type { NodeConfig } from '../../config.ts'
import { embeddedClient } from '../../database/embedded/database.ts'
import { backupInto, databasePath, isShared } from '../database/open.ts'
import { databaseIn } from '../dns/config.ts'
import { createLayout } from '../files/layout.ts'
import { heldParts, PROGRAM_ENVIRONMENT } from '../services/program.ts'
import { placesOf as sshPlaces } from '../sftp/config.ts'
import { KEPT_NAME, keepStream, runRestic, snapshotsIn } from './restic.ts'
import type { Places } from './target.ts'

const TAR = '/usr/bin/tar'

/** Where the parts of a node are that a lost machine takes with it, by their names in a copy. */
export type NodeParts = { config: NodeConfig; web: string; dns: string }

/** The places of everything in a copy of a node. A database server's database is backed up with its own tools. */
export function placesOf({ config, web, dns }: NodeParts): Record<string, string> {
  const own = ['tls', 'acme', 'nodo', 'panel.env'].map((name) => [name, join(resolve(config.dataDir), name)])
  const layout = createLayout(web)
  return Object.fromEntries([
    ...own,
    ['keys', config.keyFile],
    ['t', layout.certificates],
    ['host', sshPlaces(layout).hostKeys],
    ['pdns.sqlite3', databaseIn(dns)],
    ...(isShared(config) ? [] : [['panel.db', databasePath(config)]]),
  ])
}

/** Keeps what a node is made of besides its clients' files and rows; the copies of a week, a month and half a year. */
export async function keepNode(
  places: Places,
  { repository, owner, parts }: { repository: Repository; owner: string; parts: NodeParts },
  signal: AbortSignal,
): Promise<Kept> {
  const staging = mkdtempSync(join(places.directory, 'nodo-'))
  try {
    const known = Object.entries(placesOf(parts)).filter(([, path]) => existsSync(path))
    const words: string[] = []
    for (const [name, path] of known) {
      const copy = COPIED[name]
      await copy?.(path, join(staging, name))
      words.push('-C', copy ? staging : dirname(path), name)
    }
    const { content, ended } = archiveOf(words)
    const kept = await keepStream(places, repository, { name: KEPT_NAME, content, owner, signal })
    await ended
    // Of each node by itself: those of one panel may share the place. What the latest has lost, others may have.
    const most = ['--keep-last', '3', '--keep-daily', '7', '--keep-weekly', '4', '--keep-monthly', '6']
    const policy = [...most, '--group-by', 'host']
    await runRestic(places, repository, { argv: ['forget', '--prune', ...policy], signal })
    // What no copy follows any more would stay for ever.
    const old = ['--host', NOBODY, '--keep-within', '6m', '--group-by', '', '--prune']
    await runRestic(places, repository, { argv: ['forget', ...old], signal })
    return kept
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The names that are kept in a repository of nodes. */
export async function ownersIn(
  places: Places,
  repository: Repository,
  signal: AbortSignal,
): Promise<string[]> {
  const all = await snapshotsIn(places, repository, signal)
  return [...new Set(all.map(({ hostname }) => hostname))]
}

/** Databases are copied as of one moment, whoever writes to them meanwhile. */
const COPIED: Record<string, (path: string, made: string) => Promise<void>> = {
  async 'panel.db'(path, made) {
    // By the same library that has it open: another one's locks would end those of this process.
    const client = embeddedClient(path)
    try {
      await backupInto(client, made)
    } finally {
      client.close()
    }
  },
  async 'pdns.sqlite3'(path, made) {
    const database = new Database(path)
    try {
      database.run('VACUUM INTO ?', [made])
    } finally {
      database.close()
    }
    // The archive tells owners by their names, which another machine has under other numbers.
    const { uid, gid } = statSync(path)
    chownSync(made, uid, gid)
  },
  keys: async (path, made) => copyFileSync(path, made),
}

/** Breaks off, where tar fails, before the end that would make it look whole. */
function archiveOf(words: string[]): { content: ReadableStream<Uint8Array>; ended: Promise<void> } {
  const child = spawn(TAR, ['--create', '--file=-', '--format=pax', ...words], {
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`tar ended with ${code}`))))
  })
  ended.catch(() => {})
  const parts = heldParts(child.stdout)
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (!done) return controller.enqueue(new Uint8Array(value))
        await ended
        controller.close()
      },
      cancel: () => void child.kill('SIGKILL'),
    },
    { highWaterMark: 0 },
  )
  return { content, ended }
}
