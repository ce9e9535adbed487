import * as v from 'valibot'
import { zoneMailShape } from '../../../lib/dns/mail/shapes.ts'
import { countLookups } from '../../../lib/dns/mail/spf.ts'
import { onlySpf, zoneMailView } from '../../../lib/dns/mail/view.ts'
import { zoneWithRecords } from '../../../lib/dns/zones.ts'
import type { ResolverAnswer } from '../../../lib/endpoint/context.ts'
import { domain } from '../../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../../lib/endpoint/handler.ts'
import { askerOf } from '../../../lib/proof/ask.ts'
import { chargeLook } from '../../../lib/proof/connection.ts'
import { readNow } from '../../../lib/store/reading.ts'

/** Each of what an SPF record includes takes one after the other. */
const STEP_MS = 700
/** For all of them; with the last step it stays below five seconds (docs/api.md, "Work on the node"). */
const MOST_MS = 4_000
const LATE: ResolverAnswer = { kind: 'failure', reason: 'timeout' }

export default handler({
  method: 'GET',
  path: '/zonas/:zona/correo',
  access: allow('token', 'admin', 'client'),
  summary: 'Check what a zone says of its mail: SPF and DMARC',
  description:
    'Read from the records of the zone; what its SPF record includes is asked of a resolver now. At most 30 times a minute by each caller.',
  params: v.strictObject({ zona: domain }),
  output: zoneMailShape,
  errors: ['zona_no_existe'],
  async prepare(services, { params }, ctx) {
    chargeLook(services, ctx.actor)
    const { records } = await readNow(
      services.db.read,
      zoneWithRecords({ tx: services.db.read, actor: ctx.actor }, params.zona),
    )
    const text = onlySpf(records)
    const [resolver] = services.resolvers
    const ask = resolver && askerOf(resolver, STEP_MS)
    const until = performance.now() + MOST_MS
    const inTime = async (name: string) => (ask && performance.now() < until ? ask(name, 'TXT') : LATE)
    const count = text === null || !ask ? null : await countLookups(text, inTime)
    return { records, count }
  },
  run: async (_, { params }, { records, count }) => ok(zoneMailView(params.zona, records, count)),
})
