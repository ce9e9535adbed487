import * as v from 'valibot'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueOwnText } from '../../lib/mail/texts/own.ts'
import { clase, mailTextShape } from '../../lib/mail/texts/shapes.ts'
import { mailTextView } from '../../lib/mail/texts/view.ts'

export default handler({
  method: 'DELETE',
  path: '/correo/textos/:clase',
  access: allow('admin'),
  summary: "Put the panel's words of a kind of mail back",
  params: v.strictObject({ clase }),
  output: mailTextShape,
  async run(ctx, { params }) {
    ctx.tx.later(queueOwnText(ctx.tx, params.clase, null))
    return ok(mailTextView(params.clase, null))
  },
})
