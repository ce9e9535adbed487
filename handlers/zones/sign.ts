import { handler } from '../../lib/endpoint/handler.ts'
import { setSigning } from './signing.ts'

export default handler({
  ...setSigning(true),
  method: 'POST',
  summary: 'Sign a zone (DNSSEC)',
  description: 'The DS records of the answer go to the registrar. Repeating changes nothing.',
})
