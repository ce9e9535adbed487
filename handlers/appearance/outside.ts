import { appearanceOf, selectAppearance } from '../../lib/appearance/facts.ts'
import { appearanceShape } from '../../lib/appearance/shapes.ts'
import { appearanceView } from '../../lib/appearance/view.ts'
import { handler, ok, open } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/apariencia',
  access: open(),
  summary: 'How the operator shows the panel, for the pages outside',
  output: appearanceShape,
  run: async ({ tx }) => ok(appearanceView(appearanceOf(await selectAppearance(tx)))),
})
