import type { HeavyClient } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import { heavyWords } from './heavy-words.ts'
import type { HeavyView, NodeView } from './shapes.ts'

/** The clients that stand out on a node; null if the node cannot tell. */
export const heaviestView = (
  heavy: HeavyClient[] | null,
  language: 'es' | 'en',
): Pick<NodeView, 'mayores_consumos'> => ({
  mayores_consumos: heavy?.map((one) => heavyView(one, language)) ?? null,
})

/** The same for `doctor`: a line of text, and figures. */
export function heavyCheck(heavy: HeavyClient) {
  const { cliente, texto, ...uso } = heavyView(heavy, 'en')
  return { comprobacion: `cliente ${cliente}`, bien: true, consejo: texto, uso }
}

/** A client that stands out on its node, as figures and as text. */
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
