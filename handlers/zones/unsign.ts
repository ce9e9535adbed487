import { handler } from '../../lib/endpoint/handler.ts'
import { setSigning } from './signing.ts'

export default handler({
  ...setSigning(false),
  method: 'DELETE',
  summary: 'Stop signing a zone (DNSSEC)',
  description:
    'Take the DS records out at the registrar first, and wait for their TTL: else the zone fails to resolve.',
})
