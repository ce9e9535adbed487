import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { correo, idioma } from '../../lib/fields.ts'
import { created, handler, person } from '../../lib/handler.ts'
import { inviteAdmin } from '../../lib/invitations.ts'
import { isActivated } from '../../lib/logins.ts'
import { adminReading } from '../../lib/persons.ts'
import { personShape } from '../../lib/shapes.ts'

export default handler({
  method: 'POST',
  path: '/personas',
  access: person('admin'),
  summary: 'Invite an admin by a one-time link',
  description: 'Inviting again one who has not signed up sends a newer link.',
  body: v.strictObject({ correo, idioma: v.optional(idioma) }),
  output: personShape,
  statuses: [201],
  errors: ['ya_existe'],
  async run(ctx, { body }) {
    const { person, isNew } = await inviteAdmin(ctx.tx, ctx, body.correo, body.idioma ?? ctx.request.language)
    if (!isNew && isActivated(person)) throw new AppError('ya_existe')
    ctx.audit.target = person.id
    ctx.work.wake()
    return created(adminReading(ctx.tx, person.id), `/personas/${person.id}`)
  },
})
