import { existsSync } from 'node:fs'
import { faultOf, faultWords } from '../../../lib/text/stored-faults.ts'
import type { Words } from '../../../lib/text/words.ts'
import { firstClosedDirectory } from '../host/files.ts'
import type { ServiceDefinition } from './definition.ts'
import { PortTaken } from './ports.ts'

/** What is known about a service that does not work. */
type Ill = {
  name: string
  definition: Pick<ServiceDefinition, 'argv' | 'program' | 'package'>
  error: Error | null
  /** Whether it did not answer for lack of a processor. */
  short: boolean
}

/** A service cannot start, for a reason that the operator has to remove. */
export class Obstacle extends Error {
  readonly advice: Words

  constructor(advice: Words) {
    super(advice.en)
    this.advice = advice
  }
}

export function adviceFor({ name, definition, error, short }: Ill, alive: boolean): Words {
  if (!existsSync(definition.program ?? definition.argv[0] ?? ''))
    return installIt(definition.package ?? name)
  if (error instanceof PortTaken || error instanceof Obstacle) return error.advice
  if (alive) return short ? SHORT : SILENT
  return error === null ? ENDED : failedStart(error, name)
}

const SILENT: Words = {
  es: 'No responde; tras tres intentos se vuelve a arrancar.',
  en: 'It does not answer; it is started again after three attempts.',
}
const SHORT: Words = {
  es: 'No responde a tiempo porque a la máquina le falta procesador: mire qué lo ocupa. No se vuelve a arrancar por eso.',
  en: 'It does not answer in time, since the machine is short of processor: see what takes it. It is not started again for that.',
}
const ENDED: Words = {
  es: 'Ha terminado; se está arrancando de nuevo.',
  en: 'It ended; it is being started again.',
}

/** Advice about a missing program. */
export const installIt = (packages: string): Words => ({
  es: `Instálelo: apt-get install ${packages}`,
  en: `Install it: apt-get install ${packages}`,
})

/** A failed start in our words; the log has the program's own, under the service's name. */
function failedStart(error: Error, service: string): Words {
  const fault = faultOf(error, service)
  return faultWords(fault.codigo === 'desconocido' ? { codigo: 'servicio_no_arranca', id: service } : fault)
}

/**
 * The directory that keeps the web server's workers and the customers' PHP, which run as other users, from their
 * files.
 */
export function closedDirectory(base: string): Words | null {
  const closed = firstClosedDirectory(base)
  if (closed === null) return null
  return {
    es: `El usuario del servidor web no puede pasar por ${closed}: chmod o+x ${closed}`,
    en: `The web server's user may not pass ${closed}: chmod o+x ${closed}`,
  }
}
