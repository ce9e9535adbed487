import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { archiveShape } from '../../lib/imports/shapes.ts'
import { archiveView } from '../../lib/imports/view.ts'

export default handler({
  method: 'GET',
  path: '/importaciones',
  access: allow('token', 'admin'),
  summary: 'List the archives that can be imported on this node',
  description:
    'Those in the directory `PANEL_IMPORTACIONES` of the node that answers, by name. A name that is no plain file name is not listed.',
  query: v.strictObject(pageQuery),
  output: page(archiveShape),
  errors: ['no_disponible'],
  async prepare({ driver }) {
    // A host that is no node has no such directory.
    if (!driver?.imports) throw new AppError('no_disponible')
    return driver.imports.list()
  },
  async run(_ctx, { query: { desde, limite } }, archives) {
    const after = desde === undefined ? archives : archives.filter(({ name }) => name > desde)
    return ok(pageOf(after, limite, ({ name }) => name, archiveView))
  },
})
