import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientReading, clientToChange } from '../../lib/clients.ts'
import { cliente, contrasena, correo } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { endLinks } from '../../lib/links.ts'
import { askForLogin, loginOf, personOf } from '../../lib/logins.ts'
import { queueMail } from '../../lib/mail.ts'
import { reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients, persons } from '../../schema/tables.ts'

export default handler({
  method: 'PUT',
  path: '/clientes/:cliente/correo',
  access: person('admin', 'client'),
  summary: 'Change the recovery address',
  description: "`contrasena` is the caller's own. The old and the new address are told.",
  params: v.strictObject({ cliente }),
  body: v.strictObject({ correo, contrasena }),
  output: clientShape,
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params, body }, identity) {
    await askForLogin(ctx, params.cliente, () => personOf(ctx))
    const client = await clientToChange(ctx, params.cliente)
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    const login = await loginOf(ctx.tx, client)
    await ctx.tx
      .update(clients)
      .set({ email: body.correo, updatedAt: ctx.now() })
      .where(eq(clients.id, client.id))
    if (login) {
      ctx.tx.later(ctx.tx.update(persons).set({ email: body.correo }).where(eq(persons.id, login.id)))
      endLinks(ctx.tx, ctx, [login.id], 'anulado')
    }
    const payload = { cliente: client.name, antes: client.email ?? '—', ahora: body.correo }
    for (const to of new Set([client.email, body.correo])) {
      const mail = { kind: 'correo_cambiado' as const, to, language: client.language, payload }
      if (to) queueMail(ctx.tx, ctx, { ...mail, to, client: client.name })
    }
    ctx.work.wake()
    return ok(clientReading(ctx, client.name))
  },
})
