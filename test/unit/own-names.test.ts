import { describe, expect, test } from 'bun:test'
import { isOwnName } from '../../lib/sign-in/own-names.ts'

const NAMES = ['panaderiamarta.example', 'marta.lopez-garcia@correo.example', 'Panadería Marta', null]

describe('a password that is a name of its account', () => {
  test.each([
    'panaderiamarta',
    'PanaderiaMarta',
    'panaderia marta',
    'Panadería.Marta',
    'panaderiamarta.example',
    'panaderia-marta-2026',
    'panaderiamarta1',
    'martalopezgarcia',
    'marta.lopez-garcia@correo.example',
    'lopez garcia 77',
    'correo.example99',
  ])('%p is refused', (password) => expect(isOwnName(password, NAMES)).toBe(true))

  test.each(['panaderiamartayluis', 'una frase larga y rara 7', '123456789012', 'x7#kQ!9pLz2w', ''])(
    '%p is taken',
    (password) => expect(isOwnName(password, NAMES)).toBe(false),
  )

  test('is known by a name that ends in a number too', () => {
    expect(isOwnName('tallerlopez24', ['tallerlopez24.example'])).toBe(true)
  })
})
