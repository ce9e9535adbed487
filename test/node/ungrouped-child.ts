import { findProcesses, userOf, waitUntil } from '../../deploy/node/services/process.ts'
import { daemon, giveNative } from '../support/native.ts'
import { startNode } from './support.ts'

/** Run where nobody sees control groups: prints what a client's PHP answers there, and what is left of it. */
const node = await startNode()
await node.client(1)
await node.site(1, 10, 'c1.es')
node.put(1, 10, 'quien.php', '<?php echo posix_getuid();')
giveNative(node.path(1, 10))
const running = () => findProcesses(({ pid }) => userOf(pid) === node.uid(1)).length
const served = node.get('c1.es', '/quien.php').body === String(node.uid(1))
for (const order of ['trap "" TERM; while :; do sleep 1; done', 'sleep 300']) {
  node.get('c1.es', '/n.php', ['--data', daemon(order)])
}
const began = await waitUntil(() => running() > 7, { timeoutMs: 10_000 })
await node.client(1, { suspended: true })
console.log(JSON.stringify({ served, began, left: running() }))
await node[Symbol.asyncDispose]()
