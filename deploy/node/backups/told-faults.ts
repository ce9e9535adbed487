import { BackupFault, type BackupFaultKind } from '../../../lib/endpoint/ports/backups.ts'

/** What restic 0.14 and the servers behind it say, the first that fits: one failure names others on its way. */
const REASONS: [BackupFaultKind, RegExp][] = [
  ['password', /wrong password|no key found/],
  ['full', /no space left|quota ?exceeded|disk full|storage ?full|insufficient storage|\(507\)/i],
  ['stranger', /@{20}|host key verification/i],
  [
    'refused',
    /permission denied|access ?denied|forbidden|unauthorized|InvalidAccessKey|SignatureDoesNotMatch/i,
  ],
  [
    'missing',
    /(?:does not exist\.?|no such file or directory)\s*Is there a repository at the following|bucket does not exist/,
  ],
  [
    'unreachable',
    /connect|dial |timeout|no such host|unreachable|certificate|unexpected HTTP|sftp session|: EOF/i,
  ],
  [
    'damaged',
    /verification failed|does not match|contains errors|decrypting|invalid data|no such file|not exist|not found|no matching ID|unexpected EOF/i,
  ],
]

/** The fault that restic's own words tell of; addresses in them may carry a password, which is left out. */
export function faultOf(said: string): BackupFault {
  const kind = REASONS.find(([, pattern]) => pattern.test(said))?.[0] ?? 'other'
  const words = said.replace(/\/\/[^/@\s]*@/g, '//').replace(/\s+/g, ' ')
  return new BackupFault(kind, words.slice(0, 500))
}
