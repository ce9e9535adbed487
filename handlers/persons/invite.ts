import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { correo, idioma } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { adminAt, isActivated } from '../../lib/identity/decide.ts'
import { allAdmins, enqueueAdmin, enqueueInvitation } from '../../lib/identity/invitations.ts'
import { adminReading } from '../../lib/identity/persons.ts'
import { personShape } from '../../lib/identity/shapes.ts'

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
    const known = adminAt(await allAdmins(ctx.tx), body.correo)
    if (known && isActivated(known)) throw new AppError('ya_existe')
    const language = body.idioma ?? ctx.request.language
    const person = known ?? enqueueAdmin(ctx.tx, ctx, { email: body.correo, language })
    Object.assign(ctx.audit, { target: person.id, detail: { nombre: body.correo } })
    enqueueInvitation(ctx, person)
    return created(adminReading(ctx.tx, person.id), `/personas/${person.id}`)
  },
})
