import { relative } from '../../../text/format.ts'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

/** How old a node's last good copies are: its own, and the oldest of its clients'. Nothing where copies go nowhere. */
export function Copied({ of }: { of: Summary['nodos'][number]['copias'] }) {
  if (of === null) return null
  const { nodo, cliente, atrasada } = of
  const own = nodo === null ? texts.neverCopied : texts.nodeCopied(relative(nodo))
  const clients = cliente === null ? '' : texts.oldestCopy(cliente.cliente, relative(cliente.desde))
  return (
    <p className="node-copied small">
      <Glyph tone={atrasada ? 'warn' : 'good'} /> {own} {clients}
    </p>
  )
}
