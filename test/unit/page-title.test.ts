import { expect, test } from 'bun:test'
import { titleOf } from '../../deploy/node/web/pages/page-title.ts'

const page = (text: string) => new TextEncoder().encode(text)

test.each([
  ['<title>Mi panadería</title>', 'text/html; charset=utf-8', 'Mi panadería'],
  ['<TITLE lang="es">\n Pan &amp;\n caf&eacute; &#8211; &#x41; </TITLE>', 'text/html', 'Pan & café – A'],
  ['<title>&desconocida; &#0;</title>', 'text/html', '&desconocida; &#0;'],
  ['<title></title>', 'text/html', null],
  ['<h1>Nada</h1>', 'text/html', null],
  ['<title>Un texto</title>', 'text/plain', null],
  [`<title>${'ñ'.repeat(500)}</title>`, null, 'ñ'.repeat(200)],
])('the title of %s as %s is %s', (text, type, title) => {
  expect(titleOf(page(text), type)).toBe(title)
})

test('a page in an older encoding has its title read in it, told by its head or by itself', () => {
  const latin = Uint8Array.from(Buffer.from('<title>Panadería</title>', 'latin1'))
  expect(titleOf(latin, 'text/html; charset=ISO-8859-1')).toBe('Panadería')
  const own = Buffer.from('<meta charset="windows-1252"><title>Panadería</title>', 'latin1')
  expect(titleOf(own, 'text/html')).toBe('Panadería')
  expect(titleOf(page('<title>Panadería</title>'), 'text/html; charset=nunca')).toBe('Panadería')
})
