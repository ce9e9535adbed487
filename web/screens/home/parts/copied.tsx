import { relative } from '../../../text/format.ts'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

/** A night's copies may begin late, and are old when the next night has none. */
const OLD_MS = 36 * 3_600_000

/** How old a node's last good copies are: its own, and the oldest of its clients'. Nothing where copies go nowhere. */
export function Copied({ of }: { of: Summary['nodos'][number]['copias'] }) {
  if (of === null) return null
  const { nodo, cliente } = of
  const own = nodo === null ? texts.neverCopied : texts.nodeCopied(relative(nodo))
  const clients = cliente === null ? '' : texts.oldestCopy(cliente.cliente, relative(cliente.desde))
  const isOld = [nodo ?? '', ...(cliente ? [cliente.desde] : [])].some(
    (moment) => !(Date.now() - Date.parse(moment) < OLD_MS),
  )
  const tone = isOld ? 'warn' : 'good'
  return (
    <p className="node-copied small">
      <Glyph tone={tone} /> {own} {clients}
    </p>
  )
}
