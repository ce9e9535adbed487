import { BackupFault, type HostKey } from '../../endpoint/ports/backups.ts'
import { fingerprintOf } from '../../sftp/keys.ts'

/** The fingerprint of a server's public key, type and base64. */
export const hostFingerprint = (hostKey: string): string =>
  fingerprintOf(Uint8Array.from(atob(hostKey.split(' ')[1] ?? ''), (letter) => letter.charCodeAt(0)))

/** The key by which a server is known from now on: the one of that fingerprint, else the best that it shows. */
export function chosenKey(shown: HostKey[], fingerprint: string | null): HostKey {
  if (shown.length === 0) throw new BackupFault('unreachable', 'the server shows no key')
  const found = shown.find((one) => fingerprint === null || one.fingerprint === fingerprint)
  if (!found) throw new BackupFault('stranger', 'the server shows no key of that fingerprint')
  return found
}
