import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { appearanceBody } from '../../lib/appearance/shapes.ts'

/** A PNG of 16 by 16 pixels, and heads of others. */
const SQUARE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOoko8hCTGMahjVMHw1AABfCfUB6UP8LgAAAABJRU5ErkJggg=='
const sized = (width: number, height: number) => {
  const bytes = Buffer.from(SQUARE, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const plain = { nombre: null, color: null, soporte: null }
const refused = (change: object): string[] => {
  const { issues = [] } = v.safeParse(appearanceBody, { ...plain, ...change })
  return issues.map(({ message }) => message)
}

describe('an appearance', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['a dark colour', { color: '#7A1F5C' }],
    ['a page for help', { soporte: 'https://ayuda.ejemplo.net/?de=panel' }],
    ['an address for help', { soporte: 'mailto:ayuda@ejemplo.net' }],
    ['a PNG', { logo: SQUARE, icono: null }],
    ['a PNG as large as may be', { logo: sized(1024, 1024) }],
  ])('may be %s', (_, change) => expect(refused(change)).toEqual([]))

  test.each<[string, object, string]>([
    ['a colour that white cannot be read on', { color: '#ffd479' }, 'color_sin_contraste'],
    ['a colour by its name', { color: 'teal' }, 'color_invalido'],
    ['a program as help', { soporte: 'javascript:alert(1)' }, 'soporte_invalido'],
    ['help over plain HTTP', { soporte: 'http://ayuda.ejemplo.net' }, 'soporte_invalido'],
    ['help with a password in it', { soporte: 'https://a:b@ayuda.ejemplo.net' }, 'soporte_invalido'],
    ['several addresses', { soporte: 'mailto:a@b.es,c@d.es' }, 'soporte_invalido'],
    ['a name with a line break', { nombre: 'uno\ndos' }, 'caracteres_no_admitidos'],
    ['an SVG', { logo: btoa('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') }, 'imagen_invalida'],
    ['what is no base64', { logo: 'data:image/png;base64,AAAA' }, 'imagen_invalida'],
    ['a PNG that is too wide', { logo: sized(1025, 16) }, 'imagen_invalida'],
    ['a PNG that is too small', { icono: sized(16, 8) }, 'imagen_invalida'],
    ['more than 64 KiB', { logo: 'A'.repeat(87_388) }, 'imagen_invalida'],
  ])('may not be %s', (_, change, code) => expect(refused(change)).toContain(code))
})
