/** One check of `doctor`. Advice is no fault: the panel serves as it was set up, which may be intended. */
export type Check = {
  comprobacion: string
  bien: boolean
  consejo: string | null
  /** What of it is at fault, where it is about several. */
  partes?: string[]
  /** Of how many. */
  preguntados?: number
}

/** A check that is a fault where there is anything to do. */
export const checkOf = (comprobacion: string, consejo: string | null): Check => ({
  comprobacion,
  bien: consejo === null,
  consejo,
})

/** A check of several parts, such as sites, of which these are at fault; none where none is. */
export const partsCheck = (
  comprobacion: string,
  { faults, asked }: { faults: { what: string; fault: string }[]; asked: number },
): Check[] =>
  faults.length === 0
    ? []
    : [
        {
          comprobacion,
          bien: false,
          consejo: faults.map(({ what, fault }) => `${what}: ${fault}`).join('; '),
          partes: faults.map(({ what }) => what),
          preguntados: asked,
        },
      ]

/** A check that has advice and is no fault. */
export const adviceCheck = (comprobacion: string, consejo: string): Check => ({
  comprobacion,
  bien: true,
  consejo,
})

/** The parts that are at fault, each with what to say of it; the advice alone of a check of one thing. */
export const partsOf = ({ partes, consejo }: Check): { part: string; told: string }[] =>
  partes?.map((part) => ({ part, told: part })) ?? [{ part: '', told: consejo ?? '' }]

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
