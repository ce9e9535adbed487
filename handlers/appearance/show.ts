import { appearanceOf, selectAppearance } from '../../lib/appearance/facts.ts'
import { appearanceShape } from '../../lib/appearance/shapes.ts'
import { appearanceView } from '../../lib/appearance/view.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { reading } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/apariencia',
  access: allow('token', 'admin'),
  summary: 'How the operator shows the panel: name, logo, colour, support',
  output: appearanceShape,
  run: async ({ tx }) => ok(reading(selectAppearance(tx), (rows) => appearanceView(appearanceOf(rows)))),
})
