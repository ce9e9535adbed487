import { appearanceOf, queueAppearance, selectAppearance } from '../../lib/appearance/facts.ts'
import { appearanceBody, appearanceShape } from '../../lib/appearance/shapes.ts'
import { appearanceView, wantedOf } from '../../lib/appearance/view.ts'
import { changesOf } from '../../lib/audit/changes.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'PUT',
  path: '/apariencia',
  access: allow('token', 'admin'),
  summary: 'Choose how customers see the panel: name, logo, colour, support',
  description: 'Screens show it from their next visit on, and mails at once.',
  body: appearanceBody,
  output: appearanceShape,
  async run(ctx, { body }) {
    const { tx } = ctx
    const before = appearanceOf(await selectAppearance(tx))
    const { appearance, images } = wantedOf(body, before)
    // Of a picture only that it changed.
    ctx.audit.changes = changesOf(appearanceView(before), appearanceView(appearance), ['logo', 'icono'])
    tx.later(...queueAppearance(tx, appearance, images))
    return ok(appearanceView(appearance))
  },
})
