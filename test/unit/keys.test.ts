import { describe, expect, test } from 'bun:test'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
const PLACE = 'persons/per_1/totp'

describe('the key ring', () => {
  test('opens what it sealed, bound to the same table, row and column', async () => {
    const ring = parseKeyRing(newKeyLine(random))
    const sealed = await ring.seal(PLACE, 'JBSWY3DPEHPK3PXP', random)
    expect(sealed).toStartWith(`v1.${ring.currentId}.`)
    expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
    expect(await ring.open(PLACE, sealed)).toBe('JBSWY3DPEHPK3PXP')
    await expect(ring.open('persons/per_2/totp', sealed)).rejects.toThrow()
  })

  test('never seals the same text the same way', async () => {
    const ring = parseKeyRing(newKeyLine(random))
    expect(await ring.seal(PLACE, 'x', random)).not.toBe(await ring.seal(PLACE, 'x', random))
  })

  test.each(['', 'v1', 'v2.k.aaaa.bbbb', 'v1.nokey.AAAA.AAAA'])('does not open %p', async (sealed) => {
    await expect(parseKeyRing(newKeyLine(random)).open(PLACE, sealed)).rejects.toThrow()
  })

  test('does not open a text whose last byte was changed', async () => {
    const ring = parseKeyRing(newKeyLine(random))
    const [version, id, nonce, text = ''] = (await ring.seal(PLACE, 'secret', random)).split('.')
    const bytes = Buffer.from(text, 'base64')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await expect(ring.open(PLACE, [version, id, nonce, bytes.toString('base64')].join('.'))).rejects.toThrow()
  })

  test('seals with the first key and opens with the older ones', async () => {
    const old = newKeyLine(random)
    const sealed = await parseKeyRing(old).seal(PLACE, 'x', random)
    const both = parseKeyRing(`${newKeyLine(random)}\n${old}\n`)
    expect(await both.open(PLACE, sealed)).toBe('x')
    expect(await both.seal(PLACE, 'y', random)).not.toContain(old.split(':')[0] ?? '')
    await expect(parseKeyRing(newKeyLine(random)).open(PLACE, sealed)).rejects.toThrow('no key')
  })

  test('binds a signature to its purpose, message and key', () => {
    const old = newKeyLine(random)
    const ring = parseKeyRing(`${newKeyLine(random)},${old}`)
    const mac = (id: string, purpose: string, text: string) =>
      Buffer.from(ring.mac(id, purpose, text)).toString('hex')
    const here = mac(ring.currentId, 'link', 'enl_1')
    expect(here).toHaveLength(64)
    expect(mac(ring.currentId, 'link', 'enl_1')).toBe(here)
    for (const other of [
      mac(ring.currentId, 'link', 'enl_2'),
      mac(ring.currentId, 'other', 'enl_1'),
      mac(old.split(':')[0] ?? '', 'link', 'enl_1'),
    ])
      expect(other).not.toBe(here)
  })

  test.each(['', '\n# nothing\n', 'abc', 'id:short', `id:${'A'.repeat(44)}`, `a b:${'A'.repeat(43)}=`])(
    'is refused when its text is %p',
    (text) => {
      expect(() => parseKeyRing(text)).toThrow()
    },
  )

  test('a refusal of a bad line does not quote it', () => {
    try {
      parseKeyRing('id:canary-secret')
      expect.unreachable()
    } catch (error) {
      expect(String(error)).not.toContain('canary')
    }
  })
})
