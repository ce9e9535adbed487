import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { mirrorShape } from '../../lib/mirror/view.ts'
import { findMirrorableZone, mirrorAnswer } from '../../lib/mirror/zones.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/espejo',
  access: allow('token', 'admin', 'client'),
  summary: 'Show the mirror of a zone',
  params: v.strictObject({ zona: domain }),
  output: mirrorShape,
  errors: ['zona_no_existe', 'espejo_no_existe'],
  async run(ctx, { params }) {
    await findMirrorableZone(ctx.tx, ctx.actor, params.zona)
    return ok(mirrorAnswer(ctx, params.zona))
  },
})
