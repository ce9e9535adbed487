import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { Choice } from '../../ui/forms/fields.tsx'
import { texts } from './texts.ts'

export type Target = { isKnown: boolean; others: string[]; target: string; choose: (node: string) => void }

/** The nodes that clients of `node` can move to, and the one that is chosen: at first the first. */
export function useTarget(node: string): Target {
  const nodes = useRead('GET /api/nodos', { query: { limite: '200' } })
  const others = (nodes.data?.datos ?? [])
    .filter(({ nodo, estado }) => nodo !== node && estado !== 'ausente')
    .map(({ nodo }) => nodo)
  const [chosen, choose] = useState('')
  return { isKnown: nodes.data !== undefined, others, target: chosen || (others[0] ?? ''), choose }
}

export function TargetField({
  of: { others, target, choose },
  error,
}: {
  of: Target
  error: string | undefined
}) {
  const options = others.map((name) => ({ value: name, label: name }))
  return <Choice label={texts.to} value={target} onChange={choose} options={options} error={error} />
}
