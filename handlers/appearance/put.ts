import { appearanceOf, queueAppearance, selectAppearance } from '../../lib/appearance/facts.ts'
import { appearanceBody, appearanceShape } from '../../lib/appearance/shapes.ts'
import { appearanceView, wantedOf } from '../../lib/appearance/view.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'PUT',
  path: '/apariencia',
  access: allow('token', 'admin'),
  summary: 'Choose how customers see the panel: name, logo, colour, support',
  description: 'Screens show it from their next visit on, and mails at once.',
  body: appearanceBody,
  output: appearanceShape,
  async run({ tx }, { body }) {
    const { appearance, images } = wantedOf(body, appearanceOf(await selectAppearance(tx)))
    tx.later(...queueAppearance(tx, appearance, images))
    return ok(appearanceView(appearance))
  },
})
