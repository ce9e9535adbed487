import { expect, test } from 'bun:test'

Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { attention } = await import('../../web/screens/attention/attention.ts')
const { language } = await import('../../web/text/language.ts')

type Facts = Parameters<typeof attention>[0]
const copias = { atrasada: false, nodo: null, cliente: null }
const node: Facts['nodos'][number] = {
  ...{ nodo: 'n1', estado: 'bien', copias, disco_bytes: 100, disco_libre_bytes: 11 },
}
const CALM: Facts = {
  nodos: [node],
  trabajo: { fallidas: 0, correos_fallidos: 0 },
  problemas: { certificados: { con_error: 0, por_caducar: 0 }, espejo: { total: 0 } },
  cerca_del_limite: { total: 0 },
}
const toldIn = (tongue: 'en' | 'es', facts: Partial<Facts>) => {
  language.set(tongue)
  return attention({ ...CALM, ...facts }).map(({ tone, words }) => `${tone}: ${words}`)
}

test.each([
  ['a calm panel', {}, [], []],
  [
    'an absent node',
    { nodos: [{ ...node, estado: 'ausente' }] },
    ['bad: Node n1: Absent'],
    ['bad: Nodo n1: Ausente'],
  ],
  [
    'late copies and a disk that is almost full, of a node without a word about either',
    {
      nodos: [
        { ...node, copias: { ...copias, atrasada: true }, disco_libre_bytes: 10 },
        { ...node, copias: null, disco_libre_bytes: null },
      ],
    },
    ['warn: The disk of n1 is 90% full', 'warn: Backups on n1 are late'],
    ['warn: El disco de n1 está al 90\u00a0%', 'warn: Las copias de n1 van con retraso'],
  ],
  [
    'one of each, what is broken first',
    {
      cerca_del_limite: { total: 1 },
      trabajo: { fallidas: 1, correos_fallidos: 1 },
      problemas: { certificados: { con_error: 1, por_caducar: 1 }, espejo: { total: 1 } },
    },
    [
      'bad: 1 job failed',
      'bad: 1 mail was not delivered',
      'bad: 1 site gets no certificate',
      'bad: 1 mirrored zone has a problem',
      'warn: 1 certificate expires soon',
      'warn: 1 client is near a limit',
    ],
    [
      'bad: 1 tarea fallida',
      'bad: 1 correo sin entregar',
      'bad: 1 sitio no consigue certificado',
      'bad: 1 zona espejada tiene un problema',
      'warn: 1 certificado caduca pronto',
      'warn: 1 cliente está cerca de un límite',
    ],
  ],
  [
    'many',
    { trabajo: { fallidas: 1200, correos_fallidos: 0 } },
    ['bad: 1,200 jobs failed'],
    ['bad: 1.200 tareas fallidas'],
  ],
] as [string, Partial<Facts>, string[], string[]][])('%s is told in both languages', (_, facts, en, es) => {
  expect([toldIn('en', facts), toldIn('es', facts)]).toEqual([en, es])
  language.set('en')
})
