import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { bytes, instant } from './columns.ts'
import { LINK_PURPOSES } from './states.ts'

/** Who can sign in. A login of role `client` belongs to exactly one client. */
export const persons = sqliteTable(
  'persons',
  {
    id: text('id').primaryKey(),
    role: text('role', { enum: ['admin', 'client'] }).notNull(),
    /** Null only for the first admin, until it spends its link. */
    email: text('email'),
    language: text('language', { enum: ['es', 'en'] }).notNull(),
    /** How its screens write dates and numbers: as this country, and in this zone; null as its browser does. */
    country: text('country'),
    timeZone: text('time_zone'),
    clientId: integer('client_id')
      .unique()
      .references(() => clients.id, { onDelete: 'cascade' }),
    active: integer('active', { mode: 'boolean' }).notNull(),
    /** PHC string; null until the person has chosen a password. */
    passwordHash: text('password_hash'),
    /** Key of the recovery codes' MACs, sealed under the key ring; null while they are plain hashes. */
    recoveryKey: text('recovery_key'),
    /** Sealed under the key ring; null until enrolled. */
    totpSecret: text('totp_secret'),
    totpPending: text('totp_pending'),
    /** Highest TOTP step ever accepted: a used step is never accepted again (RFC 6238 section 5.2). */
    totpLastStep: integer('totp_last_step').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    lockedUntil: instant('locked_until'),
    createdAt: instant('created_at').notNull(),
    lastLoginAt: instant('last_login_at'),
  },
  () => [
    uniqueIndex('persons_admin_email').on(sql`lower(email)`).where(sql`role = 'admin'`),
    index('persons_email').on(sql`lower(email)`),
  ],
)

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    personId: text('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    hash: bytes('hash').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.personId, t.hash] })],
)

/** API tokens; rows are never deleted, so that a real but dead token can be told from an unknown one. */
export const tokens = sqliteTable(
  'tokens',
  {
    id: text('id').primaryKey(),
    publicId: text('public_id').notNull().unique(),
    hash: bytes('hash').notNull(),
    name: text('name').notNull(),
    /** Last UTC day on which the token works, `YYYY-MM-DD`. */
    expiresOn: text('expires_on').notNull(),
    creatorId: text('creator_id').notNull(),
    creatorEmail: text('creator_email').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    lastUsedFrom: text('last_used_from'),
    revokedAt: instant('revoked_at'),
    revokedWhy: text('revoked_why'),
    /** The smallest number of days before expiry of which the admins have been warned. */
    warnedDays: integer('warned_days'),
  },
  (t) => [index('tokens_creator').on(t.creatorId), index('tokens_expiry').on(t.expiresOn)],
)

/** One sign-in: its renewal cookie's hashes (lib/sign-in/renewal.ts). Its bearers are in `session_bearers`. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    /** Hash of the cookie's first half, which stays. */
    renewalHash: bytes('renewal_hash').notNull(),
    /** Hash of its second half, which each renewal replaces; null where no cookie was given out. */
    renewalSecret: bytes('renewal_secret'),
    /** Hash of the second half that the last renewal replaced. */
    renewalReplaced: bytes('renewal_replaced'),
    createdAt: instant('created_at').notNull(),
    renewedAt: instant('renewed_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    address: text('address').notNull(),
    agent: text('agent').notNull(),
    /** The admin who opened it on a customer's account, and why; null for a person's own. */
    impersonatorId: text('impersonator_id'),
    impersonatorEmail: text('impersonator_email'),
    impersonationReason: text('impersonation_reason'),
  },
  (t) => [index('sessions_person').on(t.personId), uniqueIndex('sessions_renewal').on(t.renewalHash)],
)

/** Expired bearers stay for a while, so that using one does not count as an attack. */
export const sessionBearers = sqliteTable(
  'session_bearers',
  {
    publicId: text('public_id').primaryKey(),
    hash: bytes('hash').notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('session_bearers_session').on(t.sessionId), index('session_bearers_expiry').on(t.expiresAt)],
)

/** A half-done sign-in: the password was right, a factor is still to be shown or enrolled. */
export const signInSteps = sqliteTable(
  'sign_in_steps',
  {
    hash: bytes('hash').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['inscribir', 'segundo_factor', 'cambiar_factor'] }).notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sign_in_steps_expiry').on(t.expiresAt)],
)

/** Passkeys: each signs a person in by itself, with user verification (Web Authentication Level 3). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    /** The authenticator's own id of the credential, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** In COSE form (RFC 9052). */
    publicKey: bytes('public_key').notNull(),
    /** Highest signature counter ever seen; 0 for an authenticator that does not count. */
    counter: integer('counter').notNull(),
    /** How browsers reach the authenticator, as it says itself. */
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    /** Whether its maker keeps a copy, so that it survives the loss of the device. */
    synced: integer('synced', { mode: 'boolean' }).notNull(),
    /** The host name that it was made for: browsers use it for no other. */
    host: text('host').notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_person').on(t.personId)],
)

/** What an authenticator has been asked to sign: good once, for a few minutes. Only hashes are here. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    hash: bytes('hash').primaryKey(),
    /** Whose new passkey it is for; null for a sign-in, which has nobody yet. */
    personId: text('person_id').references(() => persons.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('passkey_challenges_expiry').on(t.expiresAt)],
)

/** One-time links; the secret is an HMAC of the id, so only its hash is here (docs/api.md, "Signing in"). */
export const links = sqliteTable(
  'links',
  {
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: LINK_PURPOSES }).notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    hash: bytes('hash').notNull().unique(),
    keyId: text('key_id').notNull(),
    /** The address that a link of purpose `correo` confirms. */
    email: text('email'),
    /** True if a stranger may have asked for it; false if a signed-in person or a token did. */
    anyone: integer('anyone', { mode: 'boolean' }).notNull().default(false),
    createdAt: instant('created_at').notNull(),
    /** Null until its mail was first handed over, which starts its hour. */
    expiresAt: instant('expires_at'),
    spentAt: instant('spent_at'),
    /** Set when a newer link, a changed address, a suspension or the clock ended it, and never unset. */
    endedAt: instant('ended_at'),
    endedWhy: text('ended_why', { enum: ['caducado', 'sustituido', 'anulado'] }),
  },
  (t) => [index('links_person').on(t.personId, t.createdAt), index('links_expiry').on(t.expiresAt)],
)
