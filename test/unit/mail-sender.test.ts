import { describe, expect, test } from 'bun:test'
import { isOfAnother } from '../../lib/mail/sender.ts'

const OWN = { host: 'panel.es', mailFrom: 'Panel <panel@panel.es>' }
const sent = (head: string) =>
  isOfAnother(OWN, 'ana', new TextEncoder().encode(`Subject: hola\n${head}\n\ntexto`))

describe('a client’s message', () => {
  test.each([
    ['names its own site', 'From: Ana <hola@ana.es>'],
    ['names its own return address', 'From: cliente+ana@panel.es'],
    ['has brackets in a name', 'From: "Ana (Madrid" <hola@ana.es>'],
    ['tells of the panel in another field', 'Reply-To: panel@panel.es'],
  ])('that %s is its own', (_, head) => {
    expect(sent(head)).toBe(false)
  })

  test.each([
    ['plainly', 'From: Panel <panel@panel.es>'],
    ['in quotes', 'From: "panel"@panel.es'],
    ['with a comment', 'From: panel(x)@panel.es'],
    ['with a comment within a comment', 'From: panel(a(b)c)@panel.es'],
    ['with comments before the host', 'From: panel@(a(b)c)panel.es'],
    ['between brackets that are in quotes', 'From: "(" <panel@panel.es> ")"'],
    ['after a lone quote', 'From: O"Brien panel(")@panel.es'],
    ['over two lines', 'From: Panel\n <panel@panel.es>'],
    ['in a second field', 'From: hola@ana.es\nSender: panel@panel.es'],
    ['after more fields than are looked at', `${'X-Pad: x\n'.repeat(40_000)}From: panel@panel.es`],
    ['as another client', 'From: cliente+bob@panel.es'],
    ['after brackets without end', `From: ${'('.repeat(100_000)} <hola@ana.es>\nSender: panel@panel.es`],
  ])('that names the panel or another client %s is not sent', (_, head) => {
    expect(sent(head)).toBe(true)
  })
})
