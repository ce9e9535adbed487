import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { idioma, region, zonaHoraria } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personOf } from '../../lib/identity/logins.ts'
import { ownWays } from '../../lib/identity/shapes.ts'
import { waysView } from '../../lib/identity/ways-view.ts'
import { persons } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/yo',
  access: person('admin', 'client'),
  summary: 'Choose the own language, and how dates and numbers are written',
  description:
    'The language is at first that of the request which chose the password (`Accept-Language`), where it names one. With `null` region or time zone are those of the browser.',
  body: v.strictObject({
    idioma: v.optional(idioma),
    region: v.optional(v.nullable(region)),
    zona_horaria: v.optional(v.nullable(zonaHoraria)),
  }),
  output: ownWays,
  async run(ctx, { body }) {
    const me = await personOf(ctx)
    ctx.audit.target = me.id
    const {
      idioma: language = me.language,
      region: country = me.country,
      zona_horaria: timeZone = me.timeZone,
    } = body
    const ways = { language, country, timeZone }
    ctx.audit.changes = changesOf(waysView(me), waysView(ways))
    ctx.tx.later(ctx.tx.update(persons).set(ways).where(eq(persons.id, me.id)))
    return ok(waysView(ways))
  },
})
