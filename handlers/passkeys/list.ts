import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personIdOf } from '../../lib/identity/logins.ts'
import { passkeysOf } from '../../lib/passkeys/facts.ts'
import { passkeyShape } from '../../lib/passkeys/shapes.ts'
import { passkeyView } from '../../lib/passkeys/view.ts'

export default handler({
  method: 'GET',
  path: '/yo/llaves-de-acceso',
  access: person('admin', 'client'),
  summary: 'The passkeys of the own account',
  output: named(
    'LlavesDeAcceso',
    'The passkeys of a person.',
    v.strictObject({ datos: told(v.array(passkeyShape), 'All of them, oldest first.') }),
  ),
  async run(ctx) {
    const known = await passkeysOf(ctx.tx, personIdOf(ctx.actor))
    return ok({ datos: known.map(passkeyView) })
  },
})
