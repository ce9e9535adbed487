import { sha1 } from '@noble/hashes/legacy.js'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import { siteGuards, sites } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Query } from '../store/reading.ts'
import type { Site } from './decide.ts'

const SALT_BYTES = 12

export type Guard = { path: string; user: string }

/** Gives a site other protected parts; a password stays with its path and user. */
export function queueGuards({ tx }: WriteCtx, { id }: Pick<Site, 'id'>, guards: Guard[]): Query[] {
  const paths = guards.map(({ path }) => path)
  const dropped = tx
    .delete(siteGuards)
    .where(and(eq(siteGuards.siteId, id), notInArray(siteGuards.path, paths)))
  if (guards.length === 0) return [tx.delete(siteGuards).where(eq(siteGuards.siteId, id))]
  const kept = sql`case when ${siteGuards.user} = excluded.user then ${siteGuards.secretHash} end`
  return [
    dropped,
    tx
      .insert(siteGuards)
      .values(guards.map((guard) => ({ siteId: id, ...guard })))
      .onConflictDoUpdate({
        target: [siteGuards.siteId, siteGuards.path],
        set: { user: sql`excluded.user`, secretHash: kept },
      }),
  ]
}

/** A protected part of a site, whoever's that is. */
export const findGuard = ({ tx }: WriteCtx, domain: string, path: string): Promise<Guard | undefined> =>
  tx
    .select({ path: siteGuards.path, user: siteGuards.user })
    .from(siteGuards)
    .innerJoin(sites, eq(sites.id, siteGuards.siteId))
    .where(and(eq(sites.domain, domain), eq(siteGuards.path, path)))
    .get()

export const queueGuardSecret = (
  { tx }: WriteCtx,
  { id }: Site,
  { path, hash }: { path: string; hash: string },
): Query =>
  tx
    .update(siteGuards)
    .set({ secretHash: hash })
    .where(and(eq(siteGuards.siteId, id), eq(siteGuards.path, path)))

/**
 * As the web server checks it at each request, without holding up the others: a slow hash would, and is of no use for
 * a password of 144 random bits.
 */
export function guardHash(password: Secret, random: (bytes: number) => Uint8Array): string {
  const salt = random(SALT_BYTES)
  const digest = sha1(new Uint8Array([...new TextEncoder().encode(password.reveal()), ...salt]))
  return `{SSHA}${btoa(String.fromCharCode(...digest, ...salt))}`
}
