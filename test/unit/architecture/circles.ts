export type Graph = ReadonlyMap<string, readonly string[]>

/** For each node, the others that it reaches and that reach it again. */
export function circlesOf(graph: Graph): Map<string, string[]> {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(node, graph)]))
  return new Map(
    [...reached].map(([node, others]) => [
      node,
      [...others].filter((other) => reached.get(other)?.has(node)),
    ]),
  )
}

/** All that a node's arrows lead to; itself only where a circle leads back. */
function reachedFrom(node: string, graph: Graph): Set<string> {
  const reached = new Set<string>()
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const neighbour of graph.get(next) ?? []) {
      if (reached.has(neighbour)) continue
      reached.add(neighbour)
      open.push(neighbour)
    }
  return reached
}
