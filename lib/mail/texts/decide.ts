import { invalidField } from '../../endpoint/validate.ts'
import type { MailKind } from '../../text/mails.ts'
import { FIELDS } from './fields.ts'
import { namedIn, type OwnText, valuesOf } from './own.ts'

/** Refuses words that name a value which mails of this kind are not sent with: 422 `valor_desconocido`. */
export function refuseUnknownValues(kind: MailKind, text: OwnText, language: 'es' | 'en'): void {
  const known = valuesOf(kind)
  for (const [of, words] of Object.entries(text)) {
    for (const part of ['subject', 'paragraphs'] as const) {
      if (namedIn(words[part]).every((name) => known.includes(name))) continue
      throw invalidField(`${of}.${FIELDS[part]}`, 'valor_desconocido', language)
    }
  }
}
