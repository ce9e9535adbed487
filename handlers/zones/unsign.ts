import { setSigning } from '../../lib/dns/signing.ts'
import { handler } from '../../lib/handler.ts'

export default handler({
  ...setSigning(false),
  method: 'DELETE',
  summary: 'Stop signing a zone (DNSSEC)',
  description:
    'Take the DS records out at the registrar first, and wait for their TTL: else the zone fails to resolve.',
})
