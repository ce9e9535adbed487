import { expect, test } from 'bun:test'
import { shownAddress } from '../../web/screens/logs/shown-address.ts'

test.each([
  ['/fotos%20de%20panes/hogaza%20%C3%B1.jpg', '/fotos de panes/hogaza ñ.jpg'],
  ['/Men%c3%ba.html', '/Menú.html'],
  ['/%E6%97%A5%F0%9F%8D%9E', '/日🍞'],
  ['/plain?a=1&b=2', '/plain?a=1&b=2'],
])('%s is read as %s', (address, shown) => {
  expect(shownAddress(address)).toBe(shown)
})

test.each([
  ['a control character', '/a%0Ab%1b%5Bm%7F%00'.replace('%5B', '')],
  ['a control of Latin-1', '/%C2%9B'],
  ['what turns the line around', '/%E2%80%AEgpj'],
  ['a space that is not seen as one', '/%C2%A0%E2%80%A8'],
  ['what divides an address', '/a%2Fb%3Fc%23d%26e%3Df%25g%5C%2B'],
  ['Latin-1', '/hogaza%F1.jpg'],
  ['an overlong form', '/%C0%AF%E0%80%AF'],
  ['half of a pair', '/%ED%A0%80'],
  ['a percent sign alone', '/100%/%zz%'],
])('%s stays as it was sent', (_what, address) => {
  expect(shownAddress(address)).toBe(address)
})
