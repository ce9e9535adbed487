import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { ReadCtx, WriteCtx } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { correo, enlace, newPassword } from '../../lib/endpoint/fields.ts'
import { handler, ok, open, refused } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { decideConfirmed, decideExpired, decidePassword } from '../../lib/identity/decide.ts'
import { enqueueEmail } from '../../lib/identity/email-change.ts'
import { allAdmins } from '../../lib/identity/invitations.ts'
import { endLinks, expireLink, findLink, linkById, spendLink } from '../../lib/identity/links.ts'
import { endSessions } from '../../lib/identity/logins.ts'
import { spentShape } from '../../lib/identity/shapes.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { clearFailures } from '../../lib/sign-in/factors.ts'
import {
  accountNames,
  hashNewPassword,
  requireNoOwnName,
  tellOfPassword,
} from '../../lib/sign-in/passwords.ts'
import { auditAccount, endSteps, nextStep } from '../../lib/sign-in/sessions.ts'
import type { Db } from '../../lib/store/database.ts'
import { clients, passkeys, persons } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/enlace/gastar',
  access: open(),
  summary: 'Spend a one-time link',
  description:
    'By choosing a password; a link that confirms an address takes none. A refused password spends nothing. ' +
    'Of several at once, one wins. `correo` is for the first admin.',
  body: v.strictObject({
    enlace,
    contrasena: v.optional(newPassword),
    correo: v.optional(correo),
  }),
  output: spentShape,
  secret: true,
  errors: ['enlace_no_existe', 'enlace_gastado', 'enlace_caducado', 'ya_existe'],
  async prepare(services, { body }, ctx) {
    const { link, person } = await findLink(services, body.enlace)
    const setsPassword = link.purpose !== 'correo'
    requireOnly(ctx, 'contrasena', setsPassword, body.contrasena)
    requireOnly(ctx, 'correo', person.email === null, body.correo)
    const hash = setsPassword ? await hashNewPassword(services, ctx, 'contrasena', body.contrasena ?? '') : ''
    return { link, personId: person.id, hash }
  },
  async run(ctx, { body }, { link, personId, hash }) {
    const { tx } = ctx
    const [current, account, admins, revocation, names] = await Promise.all([
      linkById(tx, link.id),
      accountOf(tx, personId),
      allAdmins(tx),
      revocationFacts(tx, personId, ctx.now()),
      accountNames(tx, personId),
    ])
    auditAccount(ctx, { person: { id: personId }, client: account?.client?.name ?? null })
    if (decideExpired(current, ctx.now())) {
      expireLink(tx, ctx, link)
      return refused(new AppError('enlace_caducado'))
    }
    const { contrasena: password = '', correo: address = null } = body
    requireNoOwnName(ctx, { field: 'contrasena', password, address }, names)
    spendLink(tx, ctx, link)
    if (link.purpose === 'correo') {
      const { client, email } = decideConfirmed(account?.client, link)
      enqueueEmail(ctx, { client, loginId: personId }, email)
      return ok({ paso: 'correo_confirmado' as const, correo: email })
    }
    const { person, email } = decidePassword(account?.person, admins, body.correo)
    const language = person.passwordHash === null ? statedLanguage(ctx) : null
    tx.later(
      tx
        .update(persons)
        .set({ passwordHash: hash, email, ...(language ? { language } : {}) })
        .where(eq(persons.id, personId)),
      // Whoever had the account may have added one.
      tx.delete(passkeys).where(eq(passkeys.personId, personId)),
    )
    clearFailures(tx, personId)
    endLinks(tx, ctx, { personId, why: 'sustituido' })
    endSteps(tx, personId)
    endSessions(tx, ctx, { personId })
    if (person.passwordHash !== null) tellOfPassword(ctx, names)
    enqueueRevocation(ctx, personId, { ...revocation, why: 'contrasena' })
    return ok(await nextStep(ctx, { ...person, passwordHash: hash, email }))
  },
})

/** A person and the client that it signs in for. */
const accountOf = (db: Db, personId: string) =>
  db
    .select({ person: persons, client: clients })
    .from(persons)
    .leftJoin(clients, eq(clients.id, persons.clientId))
    .where(eq(persons.id, personId))
    .get()

/** The language that the request names; a person who enrols in it gets mails in it. */
const statedLanguage = ({ request }: Pick<WriteCtx, 'request'>): 'es' | 'en' | null =>
  /(?:^|[\s,])(?:es|en)\b/i.test(request.headers.get('accept-language') ?? '') ? request.language : null

/** 422 if a field is given that this kind of link does not accept, or one is missing that it needs. */
function requireOnly(ctx: ReadCtx, field: string, wanted: boolean, value: string | undefined): void {
  if (wanted === (value !== undefined)) return
  throw invalidField(field, wanted ? 'obligatorio' : 'campo_desconocido', ctx.request.language)
}
