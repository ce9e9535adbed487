import type { NodeCapacity } from '../../schema/tables.ts'
import type { NodeView } from './shapes.ts'

/** The versions of PHP that a node told of last. */
export function phpView(capacity: NodeCapacity | null): NodeView['php'] {
  const offers = capacity?.offers
  return (offers?.php ?? []).map((version) => ({ version, extensiones: offers?.extensions?.[version] ?? [] }))
}
