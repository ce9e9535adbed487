import { appearanceOf, queueAppearance, selectAppearance } from '../../lib/appearance/facts.ts'
import { arePagesChanged, pagesSync, selectNodeNames } from '../../lib/appearance/pages.ts'
import { appearanceBody, wholeAppearanceShape } from '../../lib/appearance/shapes.ts'
import { wantedOf, wholeAppearanceView } from '../../lib/appearance/view.ts'
import { changesOf } from '../../lib/audit/changes.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { enqueue, enqueueAndWait } from '../../lib/work/jobs.ts'

export default handler({
  method: 'PUT',
  path: '/apariencia',
  access: allow('token', 'admin'),
  summary: 'Choose how customers see the panel: name, logo, colour, support, pages',
  description:
    'Screens show it from their next visit on, and mails at once. Every node puts the pages in place by itself.',
  body: appearanceBody,
  output: wholeAppearanceShape,
  async run(ctx, { body }) {
    const { tx } = ctx
    const [rows, nodes] = await Promise.all([selectAppearance(tx), selectNodeNames(tx)])
    const before = appearanceOf(rows)
    const { appearance, images } = wantedOf(body, before)
    const after = wholeAppearanceView(appearance)
    // Of a picture only that it changed.
    ctx.audit.changes = changesOf(wholeAppearanceView(before), after, ['logo', 'icono'])
    tx.later(...queueAppearance(tx, appearance, images))
    for (const { name } of arePagesChanged(before, appearance) ? nodes : []) {
      // Other nodes do it when they can.
      if (name === ctx.config.node) enqueueAndWait(ctx, pagesSync(name))
      else enqueue(tx, ctx, pagesSync(name))
    }
    return ok(after)
  },
  settled: async (_ctx, _input, answer) => answer,
})
