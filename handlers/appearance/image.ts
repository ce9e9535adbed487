import * as v from 'valibot'
import { hashOf, imageOf } from '../../lib/appearance/facts.ts'
import { bytesOf } from '../../lib/appearance/shapes.ts'
import { bytesShape } from '../../lib/endpoint/body.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { text, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, open } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/apariencia/:imagen',
  access: open(),
  summary: "The operator's logo, or the icon of the pages",
  params: v.strictObject({
    imagen: told(v.picklist(['logo', 'icono']), 'Which of the two.', 'logo'),
  }),
  query: v.strictObject({
    version: told(
      text(32),
      'The mark of the image: what has another is another address.',
      '3f9aK2mQx81LzT0b',
    ),
  }),
  produces: 'image/png',
  output: bytesShape,
  errors: ['no_encontrado'],
  async run({ tx }, { params, query }) {
    const bytes = bytesOf((await imageOf(tx, params.imagen === 'logo' ? 'logo' : 'icon')) ?? '')
    if (bytes === null) throw new AppError('no_encontrado')
    // Under the mark of an earlier image it must not be kept: that one may come back.
    const isPresent = query.version === hashOf(bytes)
    const kept = 'public, max-age=31536000, immutable'
    return ok(new Blob([bytes]).stream(), { ...(isPresent ? { 'cache-control': kept } : {}) })
  },
})
