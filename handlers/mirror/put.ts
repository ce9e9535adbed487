import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { WriteCtx } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { domain } from '../../lib/fields.ts'
import { accepted, allow, created, handler, ok } from '../../lib/handler.ts'
import { quotaPatch } from '../../lib/mirror/account.ts'
import { type Admission, admitZone } from '../../lib/mirror/admit.ts'
import { CHECK_AT_LATEST_MS } from '../../lib/mirror/backoff.ts'
import { URGENCY } from '../../lib/mirror/order.ts'
import { mailNotice } from '../../lib/mirror/services.ts'
import type { Notice } from '../../lib/mirror/states.ts'
import { mirrorShape } from '../../lib/mirror/view.ts'
import { findMirrorableZone, mirrorAnswer } from '../../lib/mirror/zones.ts'
import { readNow } from '../../lib/reading.ts'
import { activeAdmins } from '../../lib/tokens.ts'
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
  ],
  prepare: (services, { params }, ctx) => admitZone(services, ctx, params.zona),
  async run(ctx, { params }, admission) {
    if (admission.kind !== 'mirrored') begin(ctx, admission)
    const notices = admission.kind === 'new' ? counted(ctx, admission) : []
    const view = mirrorAnswer(ctx, params.zona)
    // Begun and looked at in one round trip: where the zone has gone meanwhile, it is undone.
    await ctx.tx.ahead(
      () => findMirrorableZone(ctx.tx, ctx.actor, params.zona),
      () => readNow(ctx.tx, view),
      () => activeAdmins(ctx.tx),
    )
    const zone = await findMirrorableZone(ctx.tx, ctx.actor, params.zona)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    if (admission.kind !== 'mirrored' && zone.id !== admission.zone.id) throw new AppError('zona_no_existe')
    for (const notice of notices) await mailNotice(ctx, ctx.tx, notice)
    if (admission.kind === 'mirrored') return ok(view)
    return admission.kind === 'unknown' ? accepted(view) : created(view, `/zonas/${zone.name}/espejo`)
  },
})

/** A fresh row, or an old one that rested: its proofs are gone, so that what is there now is not ours. */
function begin(ctx: WriteCtx, admission: Exclude<Admission, { kind: 'mirrored' }>): void {
  const { zone, account, observations } = admission
  const now = ctx.now()
  const checked = admission.kind === 'new'
  const fresh = {
    // Of a zone that has gone there is none.
    zoneId: sql`(${ctx.tx.select({ id: zones.id }).from(zones).where(eq(zones.name, zone.name))})`,
    node: zone.node,
    clientName: zone.client.name,
    kind: account.kind,
    state: checked ? ('en_cola' as const) : ('comprobando' as const),
    reason: null,
    error: null,
    nonce: null,
    intentAt: null,
    remoteId: null,
    servers: [],
    serial: null,
    syncedAt: null,
    lastChange: null,
    omitted: [],
    answers: observations.map(({ resolver, resultado, visto }) => ({ resolver, resultado, visto })),
    checkedAt: now,
    nextCheckAt: checked ? new Date(now.getTime() + CHECK_AT_LATEST_MS) : null,
    negativeAt: null,
    inconclusiveSince: null,
    nextAt: now,
    urgency: URGENCY.person,
    attempts: 0,
    leaseUntil: null,
    updatedAt: now,
  }
  ctx.tx.later(
    ctx.tx
      .insert(mirrors)
      .values({ zone: zone.name, createdAt: now, ...fresh })
      .onConflictDoUpdate({ target: mirrors.zone, set: fresh }),
  )
}

/** Keeps what the account told of its room; answers whom to tell what of it. */
function counted(ctx: WriteCtx, { account, quota }: Extract<Admission, { kind: 'new' }>): Notice[] {
  if (quota === null) return []
  const { patch, notices } = quotaPatch(account, quota)
  ctx.tx.later(ctx.tx.update(dnsAccounts).set(patch).where(eq(dnsAccounts.node, account.node)))
  return notices
}
