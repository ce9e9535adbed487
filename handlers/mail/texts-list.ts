import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { MAIL_KINDS, ownTextAmong, selectOwnTexts } from '../../lib/mail/texts/own.ts'
import { mailTextShape } from '../../lib/mail/texts/shapes.ts'
import { mailTextView } from '../../lib/mail/texts/view.ts'
import { reading } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/correo/textos',
  access: allow('admin'),
  summary: 'The words of all kinds of mail',
  output: named(
    'TextosDeCorreo',
    'The words of all kinds of mail.',
    v.strictObject({ datos: told(v.array(mailTextShape), 'Those to customers first.') }),
  ),
  run: async ({ tx }) =>
    ok(
      reading(selectOwnTexts(tx), (rows) => ({
        datos: MAIL_KINDS.map((kind) => mailTextView(kind, ownTextAmong(rows, kind))),
      })),
    ),
})
