import type { HeavyClient } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import { heavyWords } from './heavy-words.ts'
import type { HeavyView, NodeView } from './shapes.ts'

/** Who stands out on a node; null where it cannot tell. */
export const heaviestView = (
  heavy: HeavyClient[] | null,
  language: 'es' | 'en',
): Pick<NodeView, 'mayores_consumos'> => ({
  mayores_consumos: heavy?.map((one) => heavyView(one, language)) ?? null,
})

/** The same as the doctor tells it: a line, and its figures. */
export function heavyCheck(heavy: HeavyClient) {
  const { cliente, texto, ...uso } = heavyView(heavy, 'en')
  return { comprobacion: `cliente ${cliente}`, bien: true, consejo: texto, uso }
}

/** A client that stands out on its node, in figures and in words. */
function heavyView(heavy: HeavyClient, language: 'es' | 'en'): HeavyView {
  const { refused } = heavy
  return {
    cliente: heavy.client,
    texto: heavyWords(heavy)[language],
    cpu_porcentaje: heavy.cpuPercent,
    memoria_bytes: heavy.memoryBytes,
    procesos: heavy.processes,
    rechazos: refused && {
      desde: wireTime(new Date(refused.since)),
      memoria: refused.memory,
      procesos: refused.processes,
      cpu_segundos: refused.cpuSeconds,
    },
  }
}
