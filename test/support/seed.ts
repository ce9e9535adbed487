import { createBearer } from '../../lib/identity/bearer.ts'
import type { KeyRing } from '../../lib/secrets/keys.ts'
import { totpPlace } from '../../lib/sign-in/sessions.ts'
import { newTotpSecret } from '../../lib/sign-in/totp.ts'
import type { Database } from '../../lib/store/database.ts'
import { nodes, persons, sessionBearers, sessions, tokens } from '../../schema/tables.ts'

export const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

const FAR = new Date('2035-01-01')

/** An admin with password and second factor, a session and a token, put into the database as they are. */
export async function seedAdmin(db: Database, keys: KeyRing, passwordHash: string, email = 'admin@host.net') {
  const now = new Date()
  const session = createBearer('session', random)
  const token = createBearer('token', random)
  const totp = newTotpSecret(random)
  const id = `per_${session.publicId}`
  const totpSecret = await keys.seal(totpPlace(id), totp, random)
  const sessionId = `ses_${session.publicId}`
  await db.write(async (tx) => {
    tx.later(
      tx.insert(persons).values({
        id,
        role: 'admin',
        email,
        language: 'es',
        active: true,
        passwordHash,
        totpSecret,
        createdAt: now,
      }),
      tx.insert(sessions).values({
        id: sessionId,
        personId: id,
        renewalHash: random(32),
        createdAt: now,
        renewedAt: now,
        expiresAt: FAR,
        address: '192.0.2.9',
        agent: '',
      }),
      tx
        .insert(sessionBearers)
        .values({ publicId: session.publicId, hash: session.hash, sessionId, expiresAt: FAR }),
      tx.insert(tokens).values({
        id: `tok_${token.publicId}`,
        publicId: token.publicId,
        hash: token.hash,
        name: 'test',
        expiresOn: '2035-01-01',
        creatorId: id,
        creatorEmail: email,
        createdAt: now,
      }),
    )
  })
  return { id, email, totp, bearer: session.value.reveal(), token: token.value.reveal() }
}

/** A node's row, as its heartbeat writes it. */
export async function seedNode(db: Database, name: string): Promise<void> {
  const now = new Date()
  await db.write(async (tx) =>
    tx.later(
      tx.insert(nodes).values({
        name,
        addresses: ['192.0.2.1'],
        nameServers: ['ns1.host.net', 'ns2.host.net'],
        services: [],
        capacity: null,
        version: '0',
        startedAt: now,
        seenAt: now,
      }),
    ),
  )
}
