import { randomBytes, timingSafeEqual } from 'node:crypto'
import { nativeHash } from '../../../../lib/databases/password.ts'
import type { Caged } from '../../../../lib/endpoint/node-port.ts'
import type { NewView } from '../../../../lib/endpoint/ports/views.ts'
import type { Administration } from '../connection.ts'
import { type May, passwordAccount, rightsOn, userAt, VIEW_ACCOUNTS, viewAccount } from '../rights.ts'
import { endSessions } from '../sessions.ts'

const LINK_MS = 60_000
/** Without any request for so long, and in any case after so long, it ends. */
const IDLE_MS = 30 * 60_000
const LONGEST_MS = 8 * 3_600_000
/** Of one client; the oldest makes room. */
const MOST_VIEWS = 5
/** One for each page that is being made. */
const CONNECTIONS = 8

/** A person's look into a database by a browser, with an account of its own there. */
export type View = {
  id: string
  databaseId: number
  clientId: number
  base: string
  /** The person's session in the panel, with which it ends. */
  session: string
  language: NewView['language']
  account: string
  password: string
  /** What the browser shows once the link is spent; before that, the link's own. */
  secret: string
  /** Until when the link opens it; null once that is spent. */
  linkUntil: number | null
  openedAt: number
  usedAt: number
  /** What Adminer keeps between two requests, and what its forms are recognised by. */
  kept: string
  token: number
  running: Set<Pick<Caged, 'stop'>>
}

/** The views that are open on this node. They are gone with the panel's process; their accounts, at its next start. */
export class Views {
  readonly #administration: Administration
  readonly #may: (clientId: number) => May
  readonly #open = new Map<string, View>()

  /** `may` answers what a client may do in its bases while it is within its plan. */
  constructor(administration: Administration, may: (clientId: number) => May) {
    this.#administration = administration
    this.#may = may
  }

  /** Opens one for whoever has the answer's secret within a minute. */
  async open(wanted: NewView): Promise<string> {
    const { base, restricted } = wanted
    const theirs = this.#those(({ clientId }) => clientId === base.clientId)
    await this.#endAll(theirs.slice(0, Math.max(theirs.length - MOST_VIEWS + 1, 0)))
    const view = newView(wanted, performance.now())
    // Known first: what else is done to the base meanwhile finds its account.
    this.#open.set(view.id, view)
    try {
      await makeAccount(this.#administration, view, restricted ? 'shrink' : this.#may(view.clientId))
    } catch (error) {
      await this.end(view).catch(() => undefined)
      throw error
    }
    return view.secret
  }

  /** The view that a link opens, this once; its secret is another from here on. */
  spend(link: string): View | null {
    const [view] = this.#those((one) => one.linkUntil !== null && sameText(one.secret, link))
    if (!view || performance.now() > (view.linkUntil ?? 0)) return null
    return Object.assign(view, { secret: secretText(), linkUntil: null, usedAt: performance.now() })
  }

  /** The view of this address, for who has its secret. */
  find(id: string, secret: string): View | null {
    const view = this.#open.get(id)
    if (!view || view.linkUntil !== null || !sameText(view.secret, secret)) return null
    view.usedAt = performance.now()
    return view
  }

  /** The accounts on a base. */
  accountsOn(base: string): string[] {
    return this.#those((view) => view.base === base).map(({ account }) => account)
  }

  async end(view: View): Promise<void> {
    this.#open.delete(view.id)
    for (const one of view.running) one.stop()
    await dropAccount(this.#administration, view.account)
  }

  endClient(clientId: number): Promise<void> {
    return this.#endAll(this.#those((view) => view.clientId === clientId))
  }

  /** Ends those that are too old, and those that nobody may look by any more. */
  async sweep(isAllowed: (view: View) => Promise<boolean>): Promise<void> {
    for (const view of this.#those(() => true)) {
      if (isOver(view, performance.now()) || !(await isAllowed(view))) await this.end(view)
    }
  }

  /** Removes the accounts of a panel that was killed. */
  forgetLeft(): Promise<void> {
    return forgetOthers(
      this.#administration,
      this.#those(() => true),
    )
  }

  #those(which: (view: View) => boolean): View[] {
    return [...this.#open.values()].filter(which)
  }

  async #endAll(views: View[]): Promise<void> {
    for (const view of views) await this.end(view)
  }
}

async function forgetOthers(administration: Administration, views: View[]): Promise<void> {
  const live = new Set(views.map(({ account }) => account))
  for (const { user } of await administration.run(VIEW_ACCOUNTS)) {
    if (!live.has(String(user))) await dropAccount(administration, String(user))
  }
}

const isOver = ({ linkUntil, usedAt, openedAt }: View, now: number): boolean =>
  now > (linkUntil ?? usedAt + IDLE_MS) || now > openedAt + LONGEST_MS

function newView({ base, session, language }: NewView, at: number): View {
  return {
    ...{ databaseId: base.databaseId, clientId: base.clientId, base: base.name, session, language },
    id: randomBytes(8).toString('hex'),
    account: viewAccount(base.databaseId, randomBytes(6).toString('hex')),
    password: secretText(),
    secret: secretText(),
    linkUntil: at + LINK_MS,
    ...{ openedAt: at, usedAt: at, kept: '', running: new Set() },
    token: randomBytes(4).readUInt32BE() >>> 1,
  }
}

async function makeAccount({ run }: Administration, view: View, may: May): Promise<void> {
  const rules = { locked: false, connections: CONNECTIONS }
  const statements = [
    ...passwordAccount(view.account, nativeHash(view.password), rules),
    ...rightsOn(view.base, userAt(view.account, '%'), may),
  ]
  for (const statement of statements) await run(statement)
}

async function dropAccount(administration: Administration, account: string): Promise<void> {
  await administration.run(`DROP USER IF EXISTS ${userAt(account, '%')}`)
  await endSessions(administration, [account])
}

const secretText = () => randomBytes(32).toString('base64url')

/** Takes as long for every other text. */
function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
