import * as v from 'valibot'
import { lines, named, text, told } from '../../endpoint/fields.ts'
import { MAIL_KINDS } from './own.ts'

const SUBJECT_MOST = 200
const TEXT_MOST = 4000

export const clase = told(v.picklist(MAIL_KINDS), 'The kind of mail.', 'activacion')

const words = v.strictObject({
  asunto: told(text(SUBJECT_MOST), 'The subject.', 'Bienvenido a {empresa}'),
  texto: told(
    lines(TEXT_MOST),
    'What stands before the link, without any markup: an empty line ends a paragraph.',
    'Gracias por venir, {cliente}.\n\nCon este enlace elige su contraseña.',
  ),
})
const both = (about: string) =>
  told(v.strictObject({ es: told(words, 'In Spanish.'), en: told(words, 'In English.') }), about)

export const mailTextBody = v.strictObject({
  es: told(words, 'In Spanish. `{value}` stands for a value of the mail.'),
  en: told(words, 'In English.'),
})

export const mailTextShape = named(
  'TextoDeCorreo',
  'The words of a kind of mail. Greeting, link and foot are not among them.',
  v.strictObject({
    clase,
    propio: told(v.boolean(), "Whether they are the operator's.", true),
    textos: both('The words in force.'),
    originales: both("The panel's."),
    valores: told(v.array(v.string()), 'The values that they may name, as `{value}`.', [
      'cliente',
      'empresa',
    ]),
  }),
)
