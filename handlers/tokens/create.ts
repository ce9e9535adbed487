import * as v from 'valibot'
import { date, nombre, told } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { createBearer } from '../../lib/identity/bearer.ts'
import { personOf } from '../../lib/identity/logins.ts'
import { newTokenShape } from '../../lib/identity/shapes.ts'
import { tokenView } from '../../lib/identity/tokens.ts'
import { ulid } from '../../lib/store/ids.ts'
import { tokens } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/tokens',
  access: person('admin'),
  summary: 'Create an API token',
  description:
    'The value is in this answer and nowhere else. `caduca`: from tomorrow to the same date next year.',
  body: v.strictObject({
    nombre,
    caduca: told(
      date,
      'The last day (UTC) that it works: from tomorrow to the same date next year.',
      '2027-11-20',
    ),
  }),
  output: newTokenShape,
  statuses: [201],
  secret: true,
  async run(ctx, { body }) {
    const now = ctx.now()
    if (body.caduca < dayAfter(now) || body.caduca > sameDateNextYear(now)) {
      throw invalidField('caduca', 'caducidad_invalida', ctx.request.language)
    }
    const creator = await personOf(ctx)
    const { value, publicId, hash } = createBearer('token', ctx.random)
    const row = {
      id: `tok_${ulid(now, ctx.random)}`,
      publicId,
      hash,
      name: body.nombre,
      expiresOn: body.caduca,
      creatorId: creator.id,
      creatorEmail: creator.email ?? creator.id,
      createdAt: now,
      ...UNUSED,
    }
    ctx.tx.later(ctx.tx.insert(tokens).values(row))
    Object.assign(ctx.audit, { target: row.id, detail: { nombre: row.name } })
    return created({ ...tokenView(row, now), token: value.reveal() }, `/tokens/${row.id}`)
  },
})

/** A token that nobody has used yet. */
const UNUSED = { warnedDays: null, lastUsedAt: null, lastUsedFrom: null, revokedAt: null, revokedWhy: null }

const dayAfter = (now: Date) => new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)

/** At most one year ahead (specification 5.1.2); 29 February ends on the 28th. */
function sameDateNextYear(now: Date): string {
  const year = now.getUTCFullYear() + 1
  const sameDay = new Date(Date.UTC(year, now.getUTCMonth(), now.getUTCDate()))
  const lastOfMonth = new Date(Date.UTC(year, now.getUTCMonth() + 1, 0))
  return (sameDay < lastOfMonth ? sameDay : lastOfMonth).toISOString().slice(0, 10)
}
