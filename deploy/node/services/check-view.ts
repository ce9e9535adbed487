/** One check of `doctor`. Advice is no fault: the panel serves as it was set up, which may be intended. */
export type Check = { comprobacion: string; bien: boolean; consejo: string | null }

/** A check that is a fault where there is anything to do. */
export const checkOf = (comprobacion: string, consejo: string | null): Check => ({
  comprobacion,
  bien: consejo === null,
  consejo,
})

const WORDS = { bien: 'ok', aviso: 'advice', fallo: 'fault' }

/** A check as programs read it. */
export const checkView = <C extends Check>({ comprobacion, ...told }: C) => ({
  comprobacion,
  estado: stateOf(told),
  ...told,
})

/** A check as its reader sees it: the word, the part, and what to do. */
export function checkLine(check: Check): string {
  const { comprobacion, consejo } = check
  return `${WORDS[stateOf(check)].padEnd(6)} ${comprobacion}${consejo ? `: ${consejo}` : ''}`
}

const stateOf = ({ bien, consejo }: Pick<Check, 'bien' | 'consejo'>): keyof typeof WORDS =>
  bien ? (consejo === null ? 'bien' : 'aviso') : 'fallo'
