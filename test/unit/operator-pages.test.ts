import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { operatorPage } from '../../deploy/node/web/pages/operator.ts'
import { appearanceBody } from '../../lib/appearance/shapes.ts'

const plain = { title: 'Pausa', text: 'Vuelve pronto.', name: null, colour: null, support: null }

describe('a page of the operator', () => {
  test('is its title and text alone where nothing else is set', () => {
    const page = operatorPage(plain)
    expect(page).toStartWith('<!doctype html><html lang=""><meta charset="utf-8">')
    expect(page).toEndWith('<title>Pausa</title><h1>Pausa</h1><p>Vuelve pronto.</p></html>\n')
  })

  test('shows name, colour and help', () => {
    const page = operatorPage({ ...plain, name: 'Ejemplo', colour: '#7a1f5c', support: 'mailto:a@b.es' })
    expect(page).toContain('<p><strong>Ejemplo</strong></p><h1>')
    expect(page).toContain('a{color:#7a1f5c}')
    expect(page).toContain('<a href="mailto:a@b.es" rel="noreferrer">')
  })

  test('keeps paragraphs and lines', () => {
    const page = operatorPage({ ...plain, text: 'uno\ndos\n\n\n  \ntres\n' })
    expect(page).toContain('<h1>Pausa</h1><p>uno<br>dos</p><p>tres</p></html>')
  })

  test('holds no markup but the template’s, whatever is written', () => {
    const attack = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>&lt;`
    const page = operatorPage({
      ...plain,
      ...{ title: attack, text: attack, name: attack, support: 'https://a.es/?"><script>' },
    })
    expect([...page.matchAll(/<[a-z]+/g)].join(' ')).toBe(
      '<html <meta <meta <meta <style <title <p <strong <h <p <p <a <span <span',
    )
    expect(page).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img')
    expect(page).toContain('&amp;lt;')
  })

  test.each<[string, object]>([
    ['a colour that ends the style', { colour: '#000}</style>' }],
    ['a program as help', { support: 'javascript:alert(1)' }],
    ['several addresses', { support: 'mailto:a@b.es,c@d.es' }],
  ])('is not made with %s', (_, wrong) => {
    expect(() => operatorPage({ ...plain, ...wrong })).toThrow(TypeError)
  })
})

describe('the wanted pages', () => {
  const refused = (pages: object): string[] => {
    const body = { nombre: null, color: null, soporte: null, paginas: pages }
    return (v.safeParse(appearanceBody, body).issues ?? []).map(({ message }) => message)
  }

  test.each<[string, object]>([
    ['none', {}],
    ['the panel’s own', { provisional: null, suspendida: null, desconocida: null }],
    ['one with several lines', { desconocida: { titulo: 'Nada', texto: 'uno\n\ndos' } }],
    ['as much as may be', { suspendida: { titulo: 'a'.repeat(120), texto: 'b'.repeat(2000) } }],
  ])('may be %s', (_, pages) => expect(refused(pages)).toEqual([]))

  test.each<[string, object, string]>([
    ['no title', { desconocida: { titulo: '', texto: 'a' } }, 'demasiado_corto'],
    ['blanks alone', { desconocida: { titulo: 'a', texto: ' \n ' } }, 'demasiado_corto'],
    ['too long a text', { desconocida: { titulo: 'a', texto: 'b'.repeat(2001) } }, 'demasiado_largo'],
    ['a title of two lines', { desconocida: { titulo: 'a\nb', texto: 'c' } }, 'caracteres_no_admitidos'],
    [
      'a text that turns round',
      { desconocida: { titulo: 'a', texto: 'b\u202ec' } },
      'caracteres_no_admitidos',
    ],
    ['half a character', { desconocida: { titulo: 'a', texto: '\ud800' } }, 'caracteres_no_admitidos'],
  ])('may not be %s', (_, pages, code) => expect(refused(pages)).toEqual([code]))

  test('have no other kind', () => expect(refused({ otra: null })).toHaveLength(1))
})
