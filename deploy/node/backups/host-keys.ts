import { hostFingerprint } from '../../../lib/backups/destination/host-key.ts'
import type { Destination, HostKey } from '../../../lib/endpoint/ports/backups.ts'
import { runProgram } from '../services/program.ts'
import { sshServerOf } from './target.ts'

const SSH_KEYSCAN = '/usr/bin/ssh-keyscan'
const TYPES = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa']
const LINE = /^\S+ ([a-z0-9-]+) ([A-Za-z0-9+/]+=*)$/

/** The keys that an SFTP server shows, the best first; none where it does not answer within ten seconds. */
export async function hostKeysOf(destination: Pick<Destination, 'url'>): Promise<HostKey[]> {
  const { host, port } = sshServerOf(destination)
  const { output } = await runProgram([SSH_KEYSCAN, '-T', '10', '-p', port, '-t', 'ed25519,ecdsa,rsa', host])
  const found = output.split('\n').flatMap((line) => {
    const [, type = '', key = ''] = LINE.exec(line) ?? []
    return TYPES.includes(type) ? [{ type, key }] : []
  })
  return found
    .toSorted((a, b) => TYPES.indexOf(a.type) - TYPES.indexOf(b.type))
    .map(({ type, key }) => `${type} ${key}`)
    .map((key) => ({ key, fingerprint: hostFingerprint(key) }))
}
