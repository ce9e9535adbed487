import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { ReadCtx, WriteCtx } from '../../lib/context.ts'
import { confirmEmail } from '../../lib/email-change.ts'
import { AppError } from '../../lib/errors.ts'
import { clearFailures } from '../../lib/factors.ts'
import { correo, enlace, newPassword } from '../../lib/fields.ts'
import { handler, ok, open, refused } from '../../lib/handler.ts'
import { adminByEmail } from '../../lib/invitations.ts'
import { endLinks, expireLink, findLink, hasExpired, spendLink } from '../../lib/links.ts'
import { endSessions, findPerson } from '../../lib/logins.ts'
import { hashNewPassword } from '../../lib/passwords.ts'
import { endSteps, nextStep } from '../../lib/sessions.ts'
import { spentShape } from '../../lib/shapes.ts'
import { activeAdmins, revokeTokensOf, tokensDying } from '../../lib/tokens.ts'
import { invalidField } from '../../lib/validate.ts'
import { links, persons } from '../../schema/tables.ts'

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
    const present = () => ctx.tx.select().from(links).where(eq(links.id, link.id)).get()
    await ctx.tx.ahead(
      present,
      () => findPerson(ctx.tx, personId),
      () => adminByEmail(ctx.tx, ''),
      () => tokensDying(ctx.tx, ctx, [personId]),
      () => activeAdmins(ctx.tx),
    )
    const current = await present()
    if (!current || hasExpired(current, ctx.now())) {
      expireLink(ctx.tx, ctx, link)
      return refused(new AppError('enlace_caducado'))
    }
    await spendLink(ctx.tx, ctx, link)
    ctx.audit.target = personId
    if (link.purpose === 'correo') {
      await confirmEmail(ctx, link)
      return ok({ paso: 'correo_confirmado' as const, correo: link.email ?? '' })
    }
    const known = await findPerson(ctx.tx, personId)
    if (!known?.active) throw new AppError('enlace_gastado')
    const email = known.email ?? body.correo ?? null
    if (known.email === null && email !== null && (await adminByEmail(ctx.tx, email)))
      throw new AppError('ya_existe')
    const language = known.passwordHash === null ? statedLanguage(ctx) : null
    await ctx.tx
      .update(persons)
      .set({ passwordHash: hash, email, ...(language ? { language } : {}) })
      .where(eq(persons.id, personId))
    clearFailures(ctx.tx, personId)
    endLinks(ctx.tx, ctx, [personId], 'sustituido')
    endSteps(ctx.tx, personId)
    endSessions(ctx.tx, ctx, [personId])
    await revokeTokensOf(ctx.tx, ctx, [personId], 'contrasena')
    return ok(await nextStep(ctx, { ...known, passwordHash: hash, email }))
  },
})

/** The language that the request asks for by name; the one that a person enrols in is that of their mails. */
const statedLanguage = ({ request }: Pick<WriteCtx, 'request'>): 'es' | 'en' | null =>
  /(?:^|[\s,])(?:es|en)\b/i.test(request.headers.get('accept-language') ?? '') ? request.language : null

/** Refuses a field that this link has no use for, and its absence where it has: 422. */
function requireOnly(ctx: ReadCtx, field: string, wanted: boolean, value: string | undefined): void {
  if (wanted === (value !== undefined)) return
  throw invalidField(field, wanted ? 'obligatorio' : 'campo_desconocido', ctx.request.language)
}
