import type { DESTINATION_KINDS } from '../../../schema/states.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { FileEntry } from './files.ts'

export type Destination = {
  kind: (typeof DESTINATION_KINDS)[number]
  url: string
  credential: Secret | null
  /** The key by which an SFTP server is known, type and base64; of others null. */
  hostKey: string | null
}

/** A key of an SFTP server, and its fingerprint as ssh-keygen tells it. */
export type HostKey = { key: string; fingerprint: string }

export type DestinationProblem = { field: 'url' | 'credential' | 'fingerprint'; code: string }

/** Copies that only its key opens, kept in a destination under a name of its own. */
export type Repository = { destination: Destination; name: string; key: Secret }

/**
 * Why a destination could not be used: nothing is kept there under that name, or nothing of this client alone any
 * more, or by another key; it does not answer,
 * refuses the credential, has no space, has lost or changed what it was given, or is another server than the one
 * that was entered; or another panel keeps its copies there.
 */
export type BackupFaultKind =
  | 'missing'
  | 'lost'
  | 'password'
  | 'unreachable'
  | 'refused'
  | 'full'
  | 'damaged'
  | 'stranger'
  | 'foreign'
  | 'other'

export class BackupFault extends Error {
  readonly kind: BackupFaultKind
  /** By which `faultOf` knows it. */
  readonly code: string

  constructor(kind: BackupFaultKind, said: string) {
    super(`the destination of copies failed (${kind}): ${said}`)
    this.name = 'BackupFault'
    this.kind = kind
    this.code = `BACKUP_${kind.toUpperCase()}`
  }
}

/** `copy` is null where it was not noted, as in earlier versions. */
export type KeptSnapshot = { id: string; copy: string | null; at: Date }
export type SiteOfCopy = { clientId: number; siteId: number; domain: string }

/** What was kept: the key of a snapshot, and of what it was. */
export type Kept = { snapshot: string; bytes: number; sha256: string }
/**
 * `whole` is false where something is lacking, and `lacking` names some of that. `undoes` is true where what a restore
 * replaces lacks nothing besides what its client may not read, which a restore leaves as it is.
 */
export type KeptSite = Kept & { index: string; whole: boolean; undoes: boolean; lacking: string[] }
/**
 * What of a repository does not read back: the beginnings of the ids of its snapshots, null where that is not known, and
 * the files that are gone or changed there.
 */
export type Examined = { broken: string[] | null; packs: string[] }
/** `copy` is what it is a part of: what a killed panel leaves is known by it. */
export type Content = { content: ReadableStream<Uint8Array>; copy: string; signal: AbortSignal }

/** Copies and what they are made of. A site's files are read and written in its client's cage alone. */
export interface Backups {
  /** Which field a destination cannot be used for, and why; null for one that can. */
  problem(destination: Omit<Destination, 'hostKey'>): DestinationProblem | null
  /** The keys that an SFTP server shows to whoever asks, the best first. */
  hostKeys(destination: Pick<Destination, 'url'>): Promise<HostKey[]>
  /** Opens a repository; one that is not there is `missing`. A lock of a process that was killed goes. */
  open(repository: Repository, signal: AbortSignal): Promise<void>
  /** What a repository is known by wherever it is moved to. */
  identity(repository: Repository, signal: AbortSignal): Promise<string>
  /** Makes a repository that is not there; a `random` key needs no protection from being guessed. */
  make(repository: Repository, how: { random: boolean; signal: AbortSignal }): Promise<void>
  /** Keeps a stream; one that breaks off leaves nothing behind. */
  keep(repository: Repository, content: Content): Promise<Kept>
  /** Keeps the files of a site and the list of them; `path` is what of it is about to be replaced. */
  keepSite(
    repository: Repository,
    site: SiteOfCopy,
    options: Pick<Content, 'copy' | 'signal'> & { path: string },
  ): Promise<KeptSite>
  /** The names that copies of nodes were kept under, each once. */
  owners(repository: Repository, signal: AbortSignal): Promise<string[]>
  /** Keeps what the node is made of besides its clients' files and rows, under a name, and forgets what is old. */
  keepNode(repository: Repository, owner: string, signal: AbortSignal): Promise<void>
  /** Checks a repository and a part of its content, or all of it. */
  examine(repository: Repository, how: { all: boolean; signal: AbortSignal }): Promise<Examined>
  /** The same, and the same answer, of what is gone alone: nothing is read. All is there where it names no snapshot. */
  findLost(repository: Repository, signal: AbortSignal): Promise<Examined>
  /** Whether what was kept reads back as it was. */
  readsBack(
    repository: Repository,
    kept: Pick<Kept, 'snapshot' | 'sha256'>,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Has a repository know what it has lost, so that the next copy that has it keeps it anew; nothing is removed. */
  mend(repository: Repository, signal: AbortSignal): Promise<void>
  /** What was kept, while it is read. */
  read(repository: Repository, snapshot: string): Promise<ReadableStream<Uint8Array>>
  /** An archive of what was kept, packed by its client while it is read; 503 where too many are read. */
  archive(repository: Repository, wanted: ArchiveOfCopy): Promise<ReadableStream<Uint8Array>>
  /** The entries of one folder of a list of files, in the order of their names; null if there is no such folder. */
  folder(repository: Repository, index: string, path: string): Promise<FileEntry[] | null>
  /** All that a repository holds. */
  snapshots(repository: Repository, signal: AbortSignal): Promise<KeptSnapshot[]>
  /** Removes these snapshots, and with `prune` what only they need. */
  forget(
    repository: Repository,
    snapshots: string[],
    how: { prune: boolean; signal: AbortSignal },
  ): Promise<void>
  /** Removes the repository of a deleted client, if nobody has written to it since; answers whether it is gone. */
  remove(gone: GoneRepository): boolean
  /** Whether a site's folder has nothing but folders, besides its logs. */
  holdsNothing(site: SiteOfCopy, signal: AbortSignal): Promise<boolean>
  /**
   * Restores files of a site; 409 `archivo_no_existe` where the copy has none there. Answers some of what it left as it
   * is because its client may not read it.
   */
  restoreSite(restore: SiteRestore): Promise<string[]>
}

export type GoneRepository = { destination: Destination; name: string; goneAt: Date }

export type ArchiveOfCopy = {
  clientId: number
  snapshot: string
  /** A site's files below an absolute path, by their list; null for a dump. */
  files: { index: string; path: string } | null
}

export type SiteRestore = {
  repository: Repository
  snapshot: string
  index: string
  site: SiteOfCopy
  /** Absolute below the site's folder. */
  path: string
  /** A folder of the site to make, relative to what is served; null puts it in the place of what is there. */
  beside: string | null
  /** Its own, the same when it is begun again. */
  id: string
  /** How large it may become; null where nothing says. */
  room: number | null
  signal: AbortSignal
}
