import { expect, test } from 'bun:test'
import * as mails from '../../lib/text/mails.ts'

const all = JSON.stringify(mails)

test('every mail with a link says alike when it expires and that it can be used once', () => {
  const spanish = all.match(/[Cc]aduca en una hora y solo se puede usar una vez/g) ?? []
  const english = all.match(/works once and (?:expires in|lasts) an hour/g) ?? []
  expect([spanish.length, english.length]).toEqual([4, 4])
  expect(all).not.toMatch(/vale una hora/i)
})
