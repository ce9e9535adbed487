import { and, desc, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { wireTime } from '../../lib/endpoint/page.ts'
import { personOf, sessionIdOf } from '../../lib/identity/logins.ts'
import { sessionShape } from '../../lib/identity/shapes.ts'
import { openSessionsOf } from '../../lib/sign-in/sessions.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/yo/sesiones',
  access: person('admin', 'client'),
  summary: 'The own open sessions',
  output: named(
    'Sesiones',
    'The open sessions of a person.',
    v.strictObject({ datos: told(v.array(sessionShape), 'All of them.') }),
  ),
  async run(ctx) {
    const me = await personOf(ctx)
    const rows = await ctx.tx
      .select()
      .from(sessions)
      .where(and(openSessionsOf(me.id), gt(sessions.expiresAt, ctx.now())))
      .orderBy(desc(sessions.renewedAt))
      .limit(200)
    const datos = rows.map((row) => ({
      id: row.id,
      actual: row.id === sessionIdOf(ctx.actor),
      direccion: row.address,
      agente: row.agent,
      creada: wireTime(row.createdAt),
      renovada: wireTime(row.renewedAt),
      caduca: wireTime(row.expiresAt),
      suplantada_por: row.impersonatorEmail,
    }))
    return ok({ datos })
  },
})
