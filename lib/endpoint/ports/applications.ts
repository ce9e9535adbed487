import type { APPLICATIONS } from '../../../schema/states.ts'

export type ApplicationKind = (typeof APPLICATIONS)[number]

/** Runs one named step, as the driver does. */
type Step = (name: string, run: () => Promise<void>) => Promise<void>

/** A site and the PHP that it runs, with which its application is worked on. */
export type ApplicationPlace = {
  clientId: number
  siteId: number
  domain: string
  /** The folder that is served, below the site's. */
  root: string
  php: string
  /** The application that it has or is to have. */
  kind: ApplicationKind
}

/** Applications in sites, worked on as their client and within its confinement alone. Refusals are AppErrors. */
export type Applications = {
  /** What there are packages of. */
  offered(): OfferedApplication[]
  /** The newest version that there is a package of; null for none. */
  newest(kind: ApplicationKind): string | null
  /** What lies in the folder that is served. */
  look(at: ApplicationPlace): Promise<FoundApplication>
  /** Installs into an empty folder; begun again after it was cut short, it ends what it began. */
  install(at: ApplicationPlace, wanted: NewApplication, step: Step): Promise<Installed>
  /** Takes back what an installation left that will not be ended. */
  undo(at: ApplicationPlace, id: string): Promise<void>
  /**
   * Puts the newest version in the place of the one that is there; where the application does not answer afterwards, it
   * is as it was.
   */
  update(at: ApplicationPlace, wanted: Update, step: Step): Promise<{ version: string }>
  /** Copies another site's application into the empty folder of this one, with its tables, for trying things out. */
  clone(at: ApplicationPlace, wanted: NewClone, step: Step): Promise<{ version: string }>
  /** Puts a clone's files and tables in the place of those it was copied from, which are kept. */
  publish(at: ApplicationPlace, wanted: Publication, step: Step): Promise<void>
  /** Takes back the publication of this number. */
  takeBack(at: ApplicationPlace, wanted: { id: string; url: string }, step: Step): Promise<void>
  /** Lets whoever has what this is the hash of sign in once as an administrator. */
  openSession(at: ApplicationPlace, session: NewSession): Promise<void>
}

/** `languages`: what may be asked for. */
export type OfferedApplication = { kind: ApplicationKind; version: string; languages: string[] }

type NewSession = { url: string; hash: string; now: Date; until: Date }

type FoundApplication = { empty: boolean; version: string | null }

/** `id`: the update's own, the same when it is begun again. */
export type Update = { id: string; url: string; language: string }

/** What is copied from where; `url` takes the place of the addresses under these hosts. */
type Copy = { id: string; source: ApplicationPlace; hosts: string[]; url: string }
export type NewClone = Copy & { database: string; signal: AbortSignal }
export type Publication = Copy & {
  files: boolean
  tables: string[]
  /** An earlier publication, which cannot be taken back from now on. */
  former: string | null
}

export type NewApplication = {
  /** The installation's own, the same when it is begun again. */
  id: string
  kind: ApplicationKind
  title: string
  email: string
  /** The name under which its owner signs in. */
  login: string
  language: string
  /** Where it is visited. */
  url: string
  database: string
  /** Whether a task of the site runs what it has to do by the clock. */
  scheduled: boolean
  /** What is mailed to the owner, with `{enlace}` where the link stands by which a password is chosen. */
  mail: { subject: string; text: string }
  /** Ends it where nobody wants it any more. */
  signal: AbortSignal
}

/** `mailed`: whether the owner's mail was handed over. */
export type Installed = { version: string; language: string; mailed: boolean }
