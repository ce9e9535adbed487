import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { WriteCtx } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, created, handler, ok } from '../../lib/endpoint/handler.ts'
import { activeAdmins } from '../../lib/identity/tokens.ts'
import { type Admission, admitZone } from '../../lib/mirror/admit.ts'
import { CHECK_AT_LATEST_MS } from '../../lib/mirror/backoff.ts'
import { quotaPatch } from '../../lib/mirror/decide-account.ts'
import { enqueueNotices } from '../../lib/mirror/services.ts'
import type { Notice } from '../../lib/mirror/states.ts'
import { mirrorShape } from '../../lib/mirror/view.ts'
import { findMirrorableZone, mirrorAnswer } from '../../lib/mirror/zones.ts'
import { type Query, readNow } from '../../lib/store/reading.ts'
import { URGENCY } from '../../schema/states.ts'
import { dnsAccounts, mirrors, zones } from '../../schema/tables.ts'

export default handler({
  method: 'PUT',
  path: '/zonas/:zona/espejo',
  access: allow('token', 'admin'),
  summary: 'Mirror a zone to the DNS provider',
  description:
    'Only a zone that resolves to this server, by recursive resolvers, and that the provider account does not hold yet. 202 where an answer did not come in time: the check goes on.',
  params: v.strictObject({ zona: domain }),
  output: mirrorShape,
  statuses: [200, 201, 202],
  errors: [
    'zona_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'funcion_de_pago',
    'sin_proveedor',
    'espejo_no_activo',
    'zona_no_resuelve_aqui',
    'zona_ya_en_proveedor',
    'cuota_de_zonas',
    'proveedor_fallo',
    'clave_ausente',
  ],
  prepare: (services, { params }, ctx) => admitZone(services, ctx, params.zona),
  async run(ctx, { params }, admission) {
    // `prepare` has decided already; the write is queued first, so that one round trip writes and reads its result.
    if (admission.kind !== 'mirrored') ctx.tx.later(queueMirror(ctx, admission))
    const [zone, admins, view] = await Promise.all([
      findMirrorableZone(ctx.tx, ctx.actor, params.zona),
      activeAdmins(ctx.tx),
      readNow(ctx.tx, mirrorAnswer(ctx, params.zona)),
    ])
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    if (admission.kind === 'mirrored') return ok(view)
    if (zone.id !== admission.zone.id) throw new AppError('zona_no_existe')
    if (admission.kind === 'unknown') return accepted(view)
    enqueueNotices(ctx.tx, ctx, { notices: counted(ctx, admission), admins })
    return created(view, `/zonas/${zone.name}/espejo`)
  },
})

/** A new row, or an old one without its proofs: a zone that is at the provider now does not count as ours. */
function queueMirror(ctx: WriteCtx, admission: Exclude<Admission, { kind: 'mirrored' }>): Query {
  const { zone, account, observations } = admission
  const now = ctx.now()
  const checked = admission.kind === 'new'
  const fresh = {
    // Null if the zone is gone meanwhile, which the database refuses.
    zoneId: sql`(${ctx.tx.select({ id: zones.id }).from(zones).where(eq(zones.name, zone.name))})`,
    node: zone.node,
    clientName: zone.client.name,
    kind: account.kind,
    state: checked ? ('en_cola' as const) : ('comprobando' as const),
    ...{ reason: null, error: null, nonce: null, intentAt: null, remoteId: null, leaseUntil: null },
    ...{ servers: [], serial: null, syncedAt: null, lastChange: null, omitted: [], attempts: 0 },
    answers: observations.map(({ resolver, resultado, visto }) => ({ resolver, resultado, visto })),
    checkedAt: now,
    nextCheckAt: checked ? new Date(now.getTime() + CHECK_AT_LATEST_MS) : null,
    ...{ negativeAt: null, inconclusiveSince: null },
    nextAt: now,
    urgency: URGENCY.person,
    updatedAt: now,
  }
  return ctx.tx
    .insert(mirrors)
    .values({ zone: zone.name, createdAt: now, ...fresh })
    .onConflictDoUpdate({ target: mirrors.zone, set: fresh })
}

/** Stores the quota that the account reported; returns who has to be warned about it. */
function counted(ctx: WriteCtx, { account, quota }: Extract<Admission, { kind: 'new' }>): Notice[] {
  const { patch, notices } = quotaPatch(account, quota)
  ctx.tx.later(ctx.tx.update(dnsAccounts).set(patch).where(eq(dnsAccounts.node, account.node)))
  return notices
}
