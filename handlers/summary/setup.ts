import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueChoices } from '../../lib/summary/choices.ts'
import { SETUP_POINTS } from '../../schema/states.ts'

const choices = {
  oculta: told(v.boolean(), 'Whether the list is hidden.', false),
  descartados: told(
    v.pipe(v.array(v.picklist(SETUP_POINTS)), v.maxLength(SETUP_POINTS.length)),
    'The points that do not apply here.',
    ['token'],
  ),
}

export default handler({
  method: 'PUT',
  path: '/resumen/puesta-en-marcha',
  access: allow('token', 'admin'),
  summary: 'Hide the list of what is to be set up, or points of it that do not apply',
  description:
    'For all administrators, until it is put otherwise. What is hidden is still checked, and told by `GET /resumen`.',
  body: v.strictObject(choices),
  output: named('PuestaEnMarchaElegida', 'What of the list is shown.', v.strictObject(choices)),
  async run({ tx }, { body: { oculta, descartados } }) {
    const dismissed = SETUP_POINTS.filter((point) => descartados.includes(point))
    tx.later(queueChoices(tx, { hidden: oculta, dismissed }))
    return ok({ oculta, descartados: dismissed })
  },
})
