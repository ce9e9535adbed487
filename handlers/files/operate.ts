import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { decideFiles, requireTurn } from '../../lib/files/decide.ts'
import { filesFacts } from '../../lib/files/facts.ts'
import { GROWING, queueOperation, waitingWith } from '../../lib/files/job.ts'
import {
  doneView,
  type OperationBody,
  operationAnswer,
  operationBody,
  operationOf,
} from '../../lib/files/operation-shapes.ts'
import { REFUSALS } from '../../lib/files/shapes.ts'
import { workNow, workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/archivos/operaciones',
  access: allow('token', 'admin', 'client'),
  summary: 'Make, move, copy, delete, restore, pack and unpack files of a site',
  description:
    'All of it or nothing, but for what a full disk cuts short. Where something is at a destination, 409 `ya_existe` names it; with `si_existe` folders are merged, and files that are there are refused, left or replaced as it says. `papelera` moves into the bin of the site, which counts for its client and from which `restaurar` brings things back; folders that have gone meanwhile are made again. An archive is unpacked only after all that it holds was counted: at most what the client has room for (10 GiB without a limit) and 200,000 entries, none of which leads out of its folder; else 422 `archivo_peligroso` and nothing is left of it. What takes longer than five seconds answers 202.',
  params: v.strictObject({ domain }),
  body: operationBody,
  whenFull: true,
  whileSuspended: true,
  output: operationAnswer,
  statuses: [200, 202],
  errors: [
    ...REFUSALS,
    'archivo_no_existe:409',
    'ya_existe',
    'ruta_invalida',
    'archivo_peligroso',
    'prohibido',
    'sin_espacio',
  ],
  async run(ctx, { params, body }) {
    const [facts, waiting] = await Promise.all([
      filesFacts(ctx, params.domain),
      waitingWith(ctx.tx, params.domain),
    ])
    const exhausted = ctx.driver?.exhausted() ?? null
    const grows = GROWING.includes(body.operacion)
    const known = decideFiles(facts, { here: ctx.config.node, grows, exhausted })
    requireTurn(waiting)
    ctx.audit.detail = auditDetail(body)
    ctx.audit.outcome = 'pedido'
    const { query, job } = queueOperation(ctx, known, operationOf(body))
    ctx.tx.later(query)
    return accepted(workReading(ctx.tx, job))
  },
  async settled(ctx, { body }, answer) {
    if (!('tarea' in answer.body)) return answer
    const work = await workNow(ctx.tx, answer.body)
    return work.tarea.estado === 'hecha' ? ok(doneView(body)) : accepted(work)
  },
})

function auditDetail(body: OperationBody) {
  if ('rutas' in body) {
    const { sustituir, omitir, ...asked } = { sustituir: undefined, omitir: undefined, ...body }
    const few = {
      ...(sustituir && { sustituir: sustituir.slice(0, 20) }),
      ...(omitir && { omitir: omitir.slice(0, 20) }),
    }
    return { ...asked, rutas: body.rutas.slice(0, 20), ...few }
  }
  return body.borrados ? { ...body, borrados: body.borrados.slice(0, 20) } : body
}
