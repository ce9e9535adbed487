import { setSigning } from '../../lib/dns/signing.ts'
import { handler } from '../../lib/handler.ts'

export default handler({
  ...setSigning(true),
  method: 'POST',
  summary: 'Sign a zone (DNSSEC)',
  description: 'The DS records of the answer go to the registrar. Repeating changes nothing.',
})
