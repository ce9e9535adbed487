import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, contrasena, correo } from '../../lib/endpoint/fields.ts'
import { handler, ok, open, refused } from '../../lib/endpoint/handler.ts'
import { findPerson } from '../../lib/identity/logins.ts'
import { stepShape } from '../../lib/identity/shapes.ts'
import { knownDevice } from '../../lib/sign-in/devices.ts'
import { guess, requireNoLock, signInCounts } from '../../lib/sign-in/guesses.ts'
import { auditAccount, chargeSignIn, nextStep } from '../../lib/sign-in/sessions.ts'
import { type Candidate, candidatesAt, candidatesFor, fittingOf } from '../../lib/sign-in/sign-in.ts'

export default handler({
  method: 'POST',
  path: '/entrar',
  access: open(),
  summary: 'Sign in with address and password',
  description: 'One answer and one cost for unknown, disabled, password-less and wrong.',
  body: v.strictObject({ correo, contrasena, cliente: v.optional(cliente) }),
  output: stepShape,
  secret: true,
  errors: ['credenciales_incorrectas'],
  async prepare(services, { body }, ctx) {
    const all = await candidatesFor(ctx, body.correo, body.cliente)
    const { address, headers } = ctx.request
    const device = knownDevice(
      services,
      headers.get('cookie'),
      all.map(({ person }) => person.id),
    )
    const counts = signInCounts(body.correo, { address, device: device?.id ?? null })
    const at = device && { personId: device.personId, email: body.correo, address }
    const candidates = at ? await candidatesAt(services, at, all) : all
    let fitting: Candidate[] = []
    const right = await guess(services, counts, async () => {
      fitting = await fittingOf(services, candidates, body.contrasena)
      return fitting.length > 0
    })
    if (!right) services.log('warn', 'sign-in refused', { address })
    return { fitting, counts }
  },
  async run(ctx, _input, { fitting, counts }) {
    if (fitting.length === 0) return refused(new AppError('credenciales_incorrectas'))
    // The choice lists clients only, so an admin's own login comes first; a person who wants a client's names that
    // client.
    const only =
      fitting.find(({ client }) => client === null) ?? (fitting.length === 1 ? fitting[0] : undefined)
    const [person] = await Promise.all([
      findPerson(ctx.tx, only?.person.id ?? ''),
      requireNoLock(ctx, counts, ctx.tx),
    ])
    if (!only) return ok({ paso: 'elegir' as const, clientes: fitting.map(({ client }) => client ?? '') })
    if (person?.passwordHash !== only.person.passwordHash) throw new AppError('credenciales_incorrectas')
    chargeSignIn(ctx, person)
    auditAccount(ctx, { person, client: only.client })
    return ok(await nextStep(ctx, person))
  },
})
