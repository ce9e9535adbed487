import type { HeavyClient } from '../../schema/tables.ts'
import { bytesIn } from '../text/amounts.ts'
import type { Words } from '../text/words.ts'

type Language = 'es' | 'en'

/** What a client takes of its node and how often it hit its limits, in words for the operator. */
export const heavyWords = (heavy: HeavyClient): Words => ({
  es: wordsOf(heavy, 'es'),
  en: wordsOf(heavy, 'en'),
})

function wordsOf(heavy: HeavyClient, language: Language): string {
  const number = (value: number) => new Intl.NumberFormat(language).format(value)
  const bytes = (value: number) => bytesIn(value, language)
  const { cpuPercent, memoryBytes, memoryLimit, processes, processLimit, refused } = heavy
  const [ofProcessor, of, ofMemory, inProcesses] =
    language === 'es'
      ? ['de un procesador', 'de', 'de memoria', 'procesos']
      : ['of a processor', 'of', 'of memory', 'processes']
  const parts = [
    cpuPercent === null ? null : `${number(Math.round(cpuPercent))} % ${ofProcessor}`,
    memoryBytes === null
      ? null
      : `${bytes(memoryBytes)} ${memoryLimit === null ? '' : `${of} ${bytes(memoryLimit)} `}${ofMemory}`,
    processes === null
      ? null
      : `${number(processes)} ${processLimit === null ? '' : `${of} ${number(processLimit)} `}${inProcesses}`,
    ...(refused === null ? [] : refusals(refused, language)),
  ]
  return parts.filter((part) => part !== null).join(', ')
}

function refusals(refused: NonNullable<HeavyClient['refused']>, language: Language): (string | null)[] {
  const { memory, processes, cpuSeconds } = refused
  const times = (count: number, want: Words) => {
    const once = count === 1
    return language === 'es'
      ? `rechazado ${once ? 'una vez' : `${count} veces`} por falta de ${want.es}`
      : `refused ${once ? 'once' : `${count} times`} for want of ${want.en}`
  }
  return [
    memory ? times(memory, { es: 'memoria', en: 'memory' }) : null,
    processes ? times(processes, { es: 'procesos', en: 'processes' }) : null,
    cpuSeconds && cpuSeconds >= 1
      ? language === 'es'
        ? `${Math.round(cpuSeconds)} s a la espera de su parte del procesador`
        : `kept waiting ${Math.round(cpuSeconds)} s for its part of the processor`
      : null,
  ]
}
