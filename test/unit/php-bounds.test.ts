import { expect, test } from 'bun:test'
import { PHP_BOUNDS } from '../../lib/sites/php-shapes.ts'

// The interface's modules ask the browser for its languages when they are loaded.
Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { language } = await import('../../web/text/language.ts')
const { bytesText } = await import('../../web/text/quantity.ts')
const { texts } = await import('../../web/screens/sites/settings/texts.ts')

test.each(['en', 'es'] as const)(
  'the bounds of a site’s PHP are told in the units that its fields have (%s)',
  (now) => {
    language.set(now)
    for (const [hint, { least, most }] of [
      [texts.uploadHint, PHP_BOUNDS.uploadBytes],
      [texts.memoryHint, PHP_BOUNDS.memoryBytes],
    ] as const)
      expect(hint).toContain([least, most].map(bytesText).join(now === 'es' ? ' a ' : ' to '))
  },
)
