import type * as v from 'valibot'
import type { MailKind } from '../../text/mails.ts'
import { givenText, type OwnText, valuesOf, type Words } from './own.ts'
import type { mailTextBody, mailTextShape } from './shapes.ts'

const wordsView = ({ subject, paragraphs }: Words) => ({ asunto: subject, texto: paragraphs })
const textView = ({ es, en }: OwnText) => ({ es: wordsView(es), en: wordsView(en) })

/** The words of a kind of mail as they are returned. */
export function mailTextView(kind: MailKind, own: OwnText | null): v.InferOutput<typeof mailTextShape> {
  const given = givenText(kind)
  return {
    clase: kind,
    propio: own !== null,
    textos: textView(own ?? given),
    originales: textView(given),
    valores: valuesOf(kind),
  }
}

/** The words that a request asks for. */
export function wantedText({ es, en }: v.InferOutput<typeof mailTextBody>): OwnText {
  const wordsOf = ({ asunto, texto }: typeof es): Words => ({ subject: asunto, paragraphs: texto })
  return { es: wordsOf(es), en: wordsOf(en) }
}
