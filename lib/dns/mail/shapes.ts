import * as v from 'valibot'
import { count, named, told } from '../../endpoint/fields.ts'

const SPF_PROBLEMS = [
  'falta',
  'varios',
  'termino_desconocido',
  'sin_final',
  'permite_a_todos',
  'usa_ptr',
  'demasiadas_consultas',
  'sin_respuesta',
] as const
const DMARC_PROBLEMS = ['falta', 'varios', 'sin_politica', 'solo_observa'] as const

const texts = told(v.array(v.string()), 'The records that there are, without their quotes.', [
  'v=spf1 mx ~all',
])
const proposal = (description: string) => told(v.nullable(v.string()), description, null)

export const zoneMailShape = named(
  'CorreoDeZona',
  'Who may send mail in the name of a domain, and what receivers do with other mail.',
  v.strictObject({
    zona: told(v.string(), 'The zone.', 'ejemplo.es'),
    recibe: told(v.boolean(), 'Whether it has MX records.', true),
    spf: told(
      v.strictObject({
        registros: texts,
        consultas: told(
          count,
          'The look-ups that it causes, those of what it includes as well; ten at most.',
          1,
        ),
        terminos: told(
          v.array(
            v.strictObject({
              termino: told(v.string(), 'As it stands.', 'include:_spf.google.com'),
              consultas: told(count, 'The look-ups that it causes.', 4),
              respondido: told(v.boolean(), 'Whether all of it could be looked up.', true),
            }),
          ),
          'Its terms; empty if there is not exactly one record.',
        ),
        problemas: told(
          v.array(v.picklist(SPF_PROBLEMS)),
          '`falta`: there is none. `varios`: more than one, so that none counts. `sin_final`: neither `all` nor `redirect`. `permite_a_todos`: anybody may send. `usa_ptr`: slow, and not to be used (RFC 7208 section 5.5). `demasiadas_consultas`: more than ten. `sin_respuesta`: something in it could not be looked up.',
          ['varios'],
        ),
        propuesta: proposal('A better one; null if it is well as it is.'),
      }),
      'The servers that may send (RFC 7208).',
    ),
    dmarc: told(
      v.strictObject({
        registros: texts,
        problemas: told(
          v.array(v.picklist(DMARC_PROBLEMS)),
          '`falta`: there is none. `varios`: more than one, so that none counts. `sin_politica`: it does not say what to do. `solo_observa`: forged mail is still delivered.',
          ['solo_observa'],
        ),
        propuesta: proposal('The next step; null if forged mail is refused or put aside.'),
      }),
      'What receivers do with the rest (RFC 7489).',
    ),
  }),
)

export type ZoneMail = v.InferOutput<typeof zoneMailShape>
