import * as v from 'valibot'
import { domain } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { mirrorShape, mirrorView } from '../../lib/mirror/view.ts'
import { findMirrorableZone, mirrorReading } from '../../lib/mirror/zones.ts'
import { mapped } from '../../lib/reading.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/espejo',
  access: allow('token', 'admin', 'client'),
  summary: 'Show the mirror of a zone',
  params: v.strictObject({ zona: domain }),
  output: mirrorShape,
  errors: ['zona_no_existe', 'espejo_no_existe'],
  async run({ tx, actor, now }, { params }) {
    await findMirrorableZone(tx, actor, params.zona)
    return ok(mapped(mirrorReading(tx, params.zona, now()), mirrorView))
  },
})
