import type { Client } from '../../clients/decide.ts'
import type { Services, WriteCtx } from '../../endpoint/context.ts'
import type { Step } from '../../endpoint/node-port.ts'
import { queueSiteSync } from '../../sites/commands.ts'
import type { Site } from '../../sites/decide.ts'
import type { Tx } from '../../store/database.ts'
import type { LeftOut } from '../../trash/decide-settings.ts'
import { formerSite, type KeptSite, keptSite } from '../../trash/kept.ts'
import {
  type Following,
  following,
  forgetFollowing,
  queueFollowing,
  writeSettings,
} from '../../trash/settings.ts'
import type { RunningJob } from '../../work/running.ts'
import type { Copy } from '../decide.ts'
import { requireBackups } from '../make.ts'
import { clientRepository } from '../repository.ts'
import { serveAnew, untilServed } from './served.ts'

type Running = { services: Services; job: RunningJob; step: Step; client: Client; copy: Copy }

/** What a restore has brought back of a site's settings; null where it was not to, or the copy has none of that site. */
export type Brought = { leftOut: LeftOut[]; end(tx: Tx): void } | null

/**
 * Gives a site the settings of a copy, and resolves once they are in force: nobody may see what a password opens, so the
 * files come afterwards. Tasks, which need the files, come in the transaction that it returns.
 */
export async function bringCopied(running: Running, site: Site): Promise<Brought> {
  const { services, job, step, client } = running
  const kept = following(job) === null ? await keptIn(running, site.domain) : null
  if (kept !== null) {
    const queued = (ctx: WriteCtx) => [queueSiteSync(ctx, client, site.domain)]
    await step('copies.settings', () =>
      writeSettings(running, kept, { site, client, isFormerOwner: true, replaces: true, queued }),
    )
  }
  const then = following(job)
  if (then === null) return null
  await untilServed(running, site)
  return {
    leftOut: then.leftOut,
    end: (tx) => endSettings(tx, services, { site, client, job, then }),
  }
}

/** Has a site served whose folder was lost, before its files come back. */
export async function serveLost(running: Running, site: Site): Promise<void> {
  await running.step('copies.serve', () => serveAnew(running, site))
  await untilServed(running, site)
}

type Ending = { site: Site; client: Client; job: RunningJob; then: Following }

function endSettings(tx: Tx, services: Services, { job, ...rest }: Ending): void {
  tx.later(...queueFollowing(services, tx, rest), forgetFollowing(tx, job))
}

/** By its domain: the site may have been made anew since. */
async function keptIn({ services, client, copy }: Running, domain: string): Promise<KeptSite | null> {
  const part = copy.parts.find(({ kind }) => kind === 'ajustes')
  if (!part || part.snapshot === null) return null
  const repository = await clientRepository(services, client)
  const content = await new Response(await requireBackups(services).read(repository, part.snapshot)).text()
  const id = formerSite(content, domain)
  return id === undefined ? null : keptSite(content, id)
}
