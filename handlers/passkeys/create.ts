import * as v from 'valibot'
import { findClient } from '../../lib/clients/clients.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { created, handler, person, refused } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { findPerson, personIdOf } from '../../lib/identity/logins.ts'
import { enqueueMail } from '../../lib/mail/queue.ts'
import { requireChallenge, requireRoom } from '../../lib/passkeys/decide.ts'
import { challengeOf, isKnown, passkeysOf, spendChallenge } from '../../lib/passkeys/facts.ts'
import { newCredential, nombre, passkeyShape } from '../../lib/passkeys/shapes.ts'
import { accountName, passkeyView } from '../../lib/passkeys/view.ts'
import { challengeIn, relyingHost, verifyNew } from '../../lib/passkeys/webauthn.ts'
import { ulid } from '../../lib/store/ids.ts'
import { passkeys } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/yo/llaves-de-acceso',
  access: person('admin', 'client'),
  summary: 'Add a passkey to the own account',
  description:
    'From then on it signs in by itself, beside password and second factor, which stay as they are. The person is ' +
    'told by mail. A challenge is used up by whatever is sent for it.',
  body: v.strictObject({ nombre, credencial: newCredential }),
  output: passkeyShape,
  statuses: [201],
  errors: ['paso_invalido', 'ya_existe', 'demasiadas_llaves', 'llaves_no_disponibles'],
  prepare: (_services, { body }) => challengeIn(body.credencial),
  async run(ctx, { body }, challenge) {
    if (challenge === null) throw new AppError('paso_invalido')
    const personId = personIdOf(ctx.actor)
    const [stored, owner, known, taken, client] = await Promise.all([
      challengeOf(ctx.tx, challenge),
      findPerson(ctx.tx, personId),
      passkeysOf(ctx.tx, personId),
      isKnown(ctx.tx, body.credencial.id),
      ctx.actor.kind === 'session' && ctx.actor.client ? findClient(ctx, ctx.actor.client.name) : null,
    ])
    requireChallenge(stored, personId, ctx.now())
    const host = requireRoom({ count: known.length, host: relyingHost(ctx.config) })
    spendChallenge(ctx, challenge)
    const made = await verifyNew(ctx.config, body.credencial, challenge)
    if (!made) return refused(invalidField('credencial', 'llave_de_acceso_invalida', ctx.request.language))
    if (taken) return refused(new AppError('ya_existe'))
    const now = ctx.now()
    const row = { ...made, id: `lla_${ulid(now, ctx.random)}`, personId, host, name: body.nombre }
    ctx.audit.target = row.id
    ctx.audit.detail = { nombre: body.nombre }
    const passkey = { ...row, createdAt: now, lastUsedAt: null }
    ctx.tx.later(ctx.tx.insert(passkeys).values(passkey))
    if (owner?.email) {
      const { email: to, language } = owner
      enqueueMail(ctx.tx, ctx, {
        kind: 'llave_anadida',
        to,
        language,
        payload: { nombre: row.name, cuenta: accountName(ctx.actor, to), persona: client?.displayName ?? '' },
      })
      ctx.work.wake()
    }
    return created(passkeyView(passkey), `/yo/llaves-de-acceso/${row.id}`)
  },
})
