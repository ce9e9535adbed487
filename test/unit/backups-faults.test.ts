import { expect, test } from 'bun:test'
import { faultOf } from '../../deploy/node/backups/told-faults.ts'
import { chosenKey } from '../../lib/backups/destination/host-key.ts'
import { refusalOf } from '../../lib/backups/errors.ts'
import { errorText } from '../../lib/endpoint/errors.ts'
import { BackupFault } from '../../lib/endpoint/ports/backups.ts'
import { faultText, faultOf as storedFaultOf } from '../../lib/text/stored-faults.ts'

const ASKED = '\nIs there a repository at the following location?\n'

test.each([
  ['missing', `Fatal: unable to open config file: <config/> does not exist${ASKED}rest:http://u:***@h/nodo/`],
  [
    'missing',
    `Fatal: unable to open config file: Stat: The specified key does not exist.${ASKED}s3:https://h/b`,
  ],
  ['missing', `Fatal: unable to open config file: stat /srv/config: no such file or directory${ASKED}/srv`],
  ['missing', `Fatal: unable to open config file: Lstat: file does not exist${ASKED}sftp:u@h:/x`],
  [
    'unreachable',
    `Fatal: unable to open config file: Stat: dial tcp: connect: connection refused${ASKED}s3:`,
  ],
  [
    'missing',
    'Fatal: create repository at s3:https://h/b/nodo failed: client.MakeBucket: The specified bucket does not exist.',
  ],
  ['unreachable', 'Fatal: unable to start the sftp session, error: EOF'],
  ['unreachable', ' timeout'],
  ['refused', `Fatal: unable to open config file: Stat: Access Denied.${ASKED}s3:https://h/b`],
  ['refused', `unexpected HTTP response (401): 401 Unauthorized${ASKED}rest:https://h/nodo/`],
  ['refused', 'subprocess ssh: u@h: Permission denied (publickey).\nFatal: unable to start the sftp session'],
  ['stranger', `subprocess ssh: ${'@'.repeat(59)}\nFatal: unable to start the sftp session, error: read |0`],
  [
    'full',
    'Save(<lock/7a1cf725dc>) returned error, retrying: client.PutObject: Error response code QuotaExceeded.',
  ],
  ['full', 'Fatal: unable to save snapshot: write /srv/data/ab: no space left on device'],
  ['password', 'Fatal: wrong password or no key found'],
  ['damaged', 'decrypting blob 0e9fdbd1 failed: ciphertext verification failed'],
  ['damaged', 'Pack ID does not match, want b25fab56, got 724806ef\nFatal: repository contains errors'],
  ['damaged', 'error for tree 0e9fdbd1:\n  open /srv/data/0e/0e9f: no such file or directory'],
  ['other', 'Fatal: something else'],
] as const)('%s is what restic means by %p', (kind, said) => {
  expect(faultOf(said).kind).toBe(kind)
})

test('a fault tells no password, and is told in words of its own', () => {
  const fault = faultOf('Fatal: https://panel:geheim@h/nodo: Access Denied')
  expect(fault.message).not.toContain('geheim')
  expect(faultText(storedFaultOf(fault), 'es')).toContain('rechaza la credencial')
})

test('a destination without space is told as that, and not as the disk of the server', () => {
  const fault = faultOf('Fatal: unable to save snapshot: write /srv/data/ab: no space left on device')
  expect(storedFaultOf(fault)).toEqual({ codigo: 'copias_lleno' })
})

test('what a destination is refused with says which part of it to check, in both languages', () => {
  const kinds = ['missing', 'unreachable', 'refused', 'full', 'damaged', 'stranger'] as const
  const told = (language: 'en' | 'es') =>
    kinds.map((kind) => {
      const { codigo, extra } = refusalOf(new BackupFault(kind, 'its own text'))
      return errorText(codigo, language, extra)
    })
  const general = (language: 'en' | 'es') => errorText('destino_fallo', language, { motivo: 'otro' })
  for (const language of ['en', 'es'] as const) {
    const texts = told(language)
    expect(new Set([general(language), ...texts]).size).toBe(kinds.length + 1)
    expect(texts.filter((text) => text.includes('its own text'))).toEqual([])
  }
  const words = ['mounted', 'address', 'credential', 'space', 'copy', 'fingerprint']
  for (const [at, text] of told('en').entries())
    expect(words.filter((word) => text.includes(word))).toContain(words[at] ?? '')
  expect(told('en')[2]).not.toContain('address')
  expect(told('en')[2]).not.toContain('space')
})

test('a server is known by the key of the fingerprint that was entered, else by the best that it shows', () => {
  const shown = ['A', 'B'].map((name) => ({ key: `ssh-ed25519 ${name}`, fingerprint: `SHA256:${name}` }))
  expect(chosenKey(shown, null).key).toBe('ssh-ed25519 A')
  expect(chosenKey(shown, 'SHA256:B').key).toBe('ssh-ed25519 B')
  expect(() => chosenKey(shown, 'SHA256:C')).toThrow('stranger')
  expect(() => chosenKey([], null)).toThrow('unreachable')
})
