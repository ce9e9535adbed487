import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientToChange } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, contrasena } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { askForLogin, endSessions, loginOf, requiredLogin } from '../../lib/logins.ts'
import { callerNow, reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { endSteps } from '../../lib/sessions.ts'
import { loginShape } from '../../lib/shapes.ts'
import { persons, recoveryCodes } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente/acceso/segundo-factor',
  access: person('admin'),
  summary: "Remove the customer's second factor",
  description: 'The customer enrols again at the next sign-in or link. Open sessions end.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ contrasena }),
  output: loginShape,
  errors: [
    'cliente_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'contrasena_incorrecta',
    'sin_acceso',
  ],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params }, identity) {
    await askForLogin(ctx, params.cliente, () => callerNow(ctx))
    const client = await clientToChange(ctx, params.cliente)
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    const login = await loginOf(ctx.tx, client)
    if (!login) throw new AppError('sin_acceso')
    await ctx.tx.update(persons).set({ totpSecret: null, totpPending: null }).where(eq(persons.id, login.id))
    ctx.tx.later(ctx.tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, login.id)))
    endSteps(ctx.tx, login.id)
    endSessions(ctx.tx, ctx, [login.id])
    return ok(requiredLogin(ctx.tx, client.name, ctx.now()))
  },
})
