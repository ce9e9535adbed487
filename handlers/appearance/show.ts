import { appearanceOf, selectAppearance } from '../../lib/appearance/facts.ts'
import { wholeAppearanceShape } from '../../lib/appearance/shapes.ts'
import { wholeAppearanceView } from '../../lib/appearance/view.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { reading } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/apariencia',
  access: allow('token', 'admin'),
  summary: 'How the operator shows the panel: name, logo, colour, support, pages',
  output: wholeAppearanceShape,
  run: async ({ tx }) => ok(reading(selectAppearance(tx), (rows) => wholeAppearanceView(appearanceOf(rows)))),
})
