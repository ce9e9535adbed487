import { number, percent } from '../../text/format.ts'
import { stateWords } from '../../text/states.ts'
import type { Summary } from '../home/data.ts'
import { texts } from './texts.ts'

/** Something that needs somebody, and the screen where it is mended. */
export type Matter = { tone: 'bad' | 'warn'; words: string; href: string }

/** From this share on a disk is told of before it is full. */
const ALMOST_FULL = 0.9

type Node = Pick<Summary['nodos'][number], 'nodo' | 'estado' | 'copias' | 'disco_bytes' | 'disco_libre_bytes'>
type Facts = {
  nodos: Node[]
  trabajo: Pick<Summary['trabajo'], 'fallidas' | 'correos_fallidos'>
  problemas: {
    certificados: Pick<Summary['problemas']['certificados'], 'con_error' | 'por_caducar'>
    espejo: Pick<Summary['problemas']['espejo'], 'total'>
  }
  cerca_del_limite: Pick<Summary['cerca_del_limite'], 'total'>
}

/** All that needs an operator, what is broken before what soon will be. */
export function attention({ nodos, trabajo, problemas, cerca_del_limite }: Facts): Matter[] {
  const { certificados, espejo } = problemas
  const counted: [Matter['tone'], number, (count: string) => string, string][] = [
    ['bad', trabajo.fallidas, texts.failedJobs, '/panel/tareas?estado=fallida'],
    ['bad', trabajo.correos_fallidos, texts.failedMails, '/panel'],
    ['bad', certificados.con_error, texts.certificatesFailed, '/panel'],
    ['bad', espejo.total, texts.mirrors, '/panel/espejo'],
    ['warn', certificados.por_caducar, texts.certificatesEnd, '/panel'],
    ['warn', cerca_del_limite.total, texts.nearLimits, '/panel#cerca-del-limite'],
  ]
  const matters = [
    ...nodos.flatMap(ofNode),
    ...counted
      .filter(([, count]) => count > 0)
      .map(([tone, count, words, href]) => ({ tone, words: words(number(count)), href })),
  ]
  return [...matters.filter(({ tone }) => tone === 'bad'), ...matters.filter(({ tone }) => tone === 'warn')]
}

function ofNode({ nodo, estado, copias, ...node }: Node): Matter[] {
  const href = '/panel/nodos'
  const { disco_bytes: size, disco_libre_bytes: free } = node
  const used = size && free !== null ? 1 - free / size : 0
  return [
    ...(estado === 'bien'
      ? []
      : [{ tone: 'bad' as const, words: texts.nodeIs(nodo, stateWords(estado).label), href }]),
    ...(used >= ALMOST_FULL
      ? [{ tone: 'warn' as const, words: texts.diskFull(nodo, percent(Math.round(used * 100))), href }]
      : []),
    ...(copias?.atrasada ? [{ tone: 'warn' as const, words: texts.copiesLate(nodo), href }] : []),
  ]
}
