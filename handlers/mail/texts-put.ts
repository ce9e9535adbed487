import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { refuseUnknownValues } from '../../lib/mail/texts/decide.ts'
import { ownTextOf, queueOwnText, selectOwnText } from '../../lib/mail/texts/own.ts'
import { clase, mailTextBody, mailTextShape } from '../../lib/mail/texts/shapes.ts'
import { mailTextView, wantedText } from '../../lib/mail/texts/view.ts'

export default handler({
  method: 'PUT',
  path: '/correo/textos/:clase',
  access: allow('admin'),
  summary: 'Put a kind of mail in own words',
  description:
    'The next mails have them, also those that wait. Greeting, link and foot stay. For persons only: mails bring the links that people sign in with, and what is written beside a link decides whether they trust another one.',
  params: v.strictObject({ clase }),
  body: mailTextBody,
  output: mailTextShape,
  async run(ctx, { params, body }) {
    const wanted = wantedText(body)
    refuseUnknownValues(params.clase, wanted, ctx.request.language)
    const before = mailTextView(params.clase, ownTextOf(await selectOwnText(ctx.tx, params.clase)))
    const after = mailTextView(params.clase, wanted)
    ctx.audit.changes = changesOf(before.textos, after.textos)
    ctx.tx.later(queueOwnText(ctx.tx, params.clase, wanted))
    return ok(after)
  },
})
