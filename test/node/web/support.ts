import { startNode, type TestNode } from '../support.ts'

/** A node with a site of each of two clients, neither with content. */
export async function startSites(): Promise<TestNode> {
  const node = await startNode()
  await node.client(1)
  await node.client(2)
  await node.site(1, 11, 'uno.es', { aliases: ['www.uno.es', 'xn--ao-zja.es'] })
  await node.site(2, 21, 'dos.es')
  return node
}
