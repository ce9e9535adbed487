import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceState, SftpServer, SftpUse, Step } from '../../../lib/endpoint/node-port.ts'
import type { DesiredSftpAccount } from '../../../lib/endpoint/ports/sftp.ts'
import type { Identity } from '../files/clients.ts'
import { ensureDirectory, ROOT, removeFile, writeWhole } from '../host/files.ts'
import { installIt } from '../services/advice.ts'
import type { Supervisor } from '../services/supervisor.ts'
import {
  type Accounts,
  type AccountsOf,
  dropAccounts,
  lessened,
  seeing,
  setAccounts,
  writeUsers,
} from './accounts.ts'
import { type Places, placesOf, SSHD } from './config.ts'
import { ensureHostKeys } from './host-keys.ts'
import { type SftpOptions, sftpService } from './service.ts'
import { endSessions } from './sessions.ts'

export type SftpNode = ReturnType<typeof createSftpNode>

const SERVICE = 'sftp'

type Options = SftpOptions & { identity: Identity; supervisor: Supervisor }

/** The node's SFTP: OpenSSH, its accounts, its sessions. Only for root, whom it takes to become a client. */
export function createSftpNode(options: Options) {
  const { layout, identity, supervisor, port } = options
  const places = placesOf(layout)
  const accounts: Accounts = { places, temporary: layout.temporary }
  let fingerprints: string[] = []

  return {
    async start(): Promise<void> {
      ensurePlaces(places)
      writeUsers(accounts)
      if (!existsSync(SSHD)) return
      fingerprints = await ensureHostKeys(places)
      await supervisor.start(SERVICE, sftpService(options, places))
    },

    /** Where clients connect to; null while nothing listens there. */
    server: (): SftpServer | null => (supervisor.processOf(SERVICE) === null ? null : { port, fingerprints }),

    /** Makes the client's accounts match these; sessions of accounts with fewer rights than before are ended. */
    async sync(clientId: number, wanted: DesiredSftpAccount[], step: Step): Promise<void> {
      const owner = identity.customer(clientId)
      if (owner !== null) await step('client.sftp', () => sync(accounts, { clientId, owner }, wanted))
    },

    /** Ends the sessions that see a site that is being removed, and removes the accounts that are only for it. */
    async dropSite(site: { clientId: number; siteId: number }, step: Step): Promise<void> {
      await step('site.sftp', () => dropSite(accounts, site))
    },

    /** When accounts were last used, if that was after the time given. */
    uses: (since: Date | null): SftpUse[] => usesOf(places, since),

    missing: (): ServiceState[] =>
      existsSync(SSHD)
        ? []
        : [{ name: SERVICE, running: false, version: null, advice: installIt('openssh-server') }],
  }
}

async function sync(accounts: Accounts, of: AccountsOf, wanted: DesiredSftpAccount[]): Promise<void> {
  const names = lessened(accounts, of, wanted)
  return ending(accounts, { clientId: of.clientId, names, change: () => setAccounts(accounts, of, wanted) })
}

async function dropSite(accounts: Accounts, site: { clientId: number; siteId: number }): Promise<void> {
  const found = seeing(accounts, site)
  const alone = found.flatMap(({ name, site: only }) => (only === null ? [] : name))
  await ending(accounts, {
    clientId: site.clientId,
    names: found.map(({ name }) => name),
    change: () => dropAccounts(accounts, alone),
  })
}

/** Changes accounts and ends the sessions of those named, and of those that an interrupted change left. */
async function ending(
  { places }: Accounts,
  { clientId, names, change }: { clientId: number; names: string[]; change: () => void },
): Promise<void> {
  const mark = (name: string) => join(places.ending, `${clientId}:${name}`)
  for (const name of names) writeWhole({ path: mark(name), content: '', mode: 0o600 })
  change()
  const marked = readdirSync(places.ending).flatMap((entry) => {
    const [client, name] = entry.split(':')
    return client === String(clientId) && name !== undefined ? name : []
  })
  await endSessions(marked)
  for (const name of marked) removeFile(mark(name))
}

function ensurePlaces(places: Places): void {
  for (const path of [places.base, places.hostKeys, places.used, places.ending]) {
    ensureDirectory(path, { mode: 0o700, owner: ROOT })
  }
  ensureDirectory(places.etc, { mode: 0o755, owner: ROOT })
  for (const name of ['pam.d', 'security', 'panel']) {
    ensureDirectory(join(places.etc, name), { mode: 0o755, owner: ROOT })
  }
  // Keys are read as the client, who must not learn other clients' names.
  ensureDirectory(places.keys, { mode: 0o711, owner: ROOT })
  for (const path of [places.accounts, places.secrets]) ensureDirectory(path, { mode: 0o700, owner: ROOT })
}

const PASSWORD = '.password'

function usesOf(places: Places, since: Date | null): SftpUse[] {
  return readdirSync(places.used).flatMap((file) => {
    const at = statSync(join(places.used, file), { throwIfNoEntry: false })?.mtime
    if (at === undefined || (since !== null && at <= since)) return []
    const byPassword = file.endsWith(PASSWORD)
    const account = byPassword ? file.slice(0, -PASSWORD.length) : file
    return [{ account, kind: byPassword ? ('password' as const) : ('session' as const), at }]
  })
}
