import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import type { MakeSelfSigned } from '../../deploy/node/certificates/served.ts'

/** As a node makes the certificates of its sites. */
export const selfSignedFor: MakeSelfSigned = (names, keyPem) =>
  selfSigned({ names, addresses: [], years: 10, keyPem })
