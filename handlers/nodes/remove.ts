import * as v from 'valibot'
import { named, nodo, si, told } from '../../lib/endpoint/fields.ts'
import { allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { decideGivingUp } from '../../lib/nodes/decide.ts'
import { copiesFate, queueRelease, releaseFacts } from '../../lib/nodes/release.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'DELETE',
  path: '/nodos/:nodo',
  access: allow('token', 'admin'),
  summary: 'Give up a node that is gone, and release what lived there',
  description:
    'Only for a node that is `ausente`: one that missed three beats. Its clients end with their logins, sites, zones and names; what waits for it is cancelled. `confirmar` is its name. `simular=si` lists the same, changes nothing and needs no `confirmar`. `espejos` tells which copies at its DNS provider are removed (`se_retira`) and which stay, since the account cannot be reached (`se_queda`). The name is never used again: its machine, should it come back, serves nothing.',
  params: v.strictObject({ nodo }),
  query: v.strictObject({ simular: v.optional(si) }),
  body: v.strictObject({ confirmar: v.optional(told(v.string(), "The node's name once more.", 'nodo2')) }),
  bodyOptional: true,
  output: named(
    'NodoEliminado',
    'What a node that is given up releases.',
    v.strictObject({
      nodo: told(v.string(), 'The node.', 'nodo2'),
      clientes: told(v.array(v.string()), 'Its clients.', ['acme']),
      sitios: told(v.array(v.string()), 'Their sites.', ['ejemplo.es']),
      zonas: told(v.array(v.string()), 'Their zones.', ['ejemplo.es']),
      espejos: told(
        v.array(
          v.strictObject({
            zona: told(v.string(), 'The zone.', 'ejemplo.es'),
            proveedor: told(v.string(), 'The DNS provider.', 'desec'),
            copia: told(
              v.picklist(['se_retira', 'se_queda']),
              'Whether the copy is removed, or stays since the account cannot be reached.',
              'se_retira',
            ),
          }),
        ),
        'Copies at DNS providers.',
      ),
    }),
  ),
  errors: ['nodo_no_existe', 'nodo_presente'],
  prepare: (services, { params }) => copiesFate(services, params.nodo),
  async run(ctx, { params, query, body }, copies) {
    const simulated = query.simular === 'si'
    ctx.audit.target = params.nodo
    if (!simulated && body.confirmar !== params.nodo) {
      const codigo = body.confirmar === undefined ? 'obligatorio' : 'valor_no_admitido'
      throw invalidField('confirmar', codigo, ctx.request.language)
    }
    const release = { node: params.nodo, copia: copies }
    const [node, released] = await readNow(ctx.tx, releaseFacts(ctx.tx, release))
    decideGivingUp({ node, own: ctx.config.node }, ctx.now())
    const answer = ok({ nodo: params.nodo, ...released })
    if (simulated) throw new DryRun(answer)
    ctx.tx.later(...queueRelease(ctx, release, released))
    const { clientes, sitios, zonas, espejos } = released
    const left = espejos.filter(({ copia }) => copia === 'se_queda').map(({ zona }) => zona)
    const counts = { clientes: clientes.length, sitios: sitios.length, zonas: zonas.length }
    ctx.audit.detail = { ...counts, copias_que_quedan: left }
    return answer
  },
})
