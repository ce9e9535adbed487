import * as v from 'valibot'
import { told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { chargeLook, seenNames } from '../../lib/proof/connection.ts'
import { summaryReading } from '../../lib/summary/facts.ts'
import { summaryShape } from '../../lib/summary/shapes.ts'
import { summaryView } from '../../lib/summary/view.ts'

export default handler({
  method: 'GET',
  path: '/resumen',
  access: allow('token', 'admin'),
  summary: 'How the panel is doing: totals, nodes, what needs somebody, what is set up',
  description:
    "One answer of bounded size, at the same cost for any number of clients. With `comprobar=si` the recursive resolvers are asked where the panel's own name and its name servers lead.",
  query: v.strictObject({
    comprobar: v.optional(told(v.picklist(['si']), 'Asks the resolvers; 30 times a minute at most.', 'si')),
  }),
  output: summaryShape,
  async prepare(services, { query }, { actor }) {
    if (query.comprobar === undefined) return null
    chargeLook(services, actor)
    const { host, nameServers, addresses } = services.config
    return seenNames(services.resolvers, [...new Set([host, ...nameServers])], addresses)
  },
  async run({ tx, now, request, config, ownCertificate }, _, seen) {
    const about = {
      now: now(),
      language: request.language,
      selfSigned: ownCertificate?.() ?? false,
      seen,
      version: config.version,
      updatesUrl: config.updatesUrl,
    }
    return ok(summaryReading(tx, now(), (facts) => summaryView(facts, about)))
  },
})
