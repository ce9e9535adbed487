import { createWebNode, type WebNodeOptions } from '../../deploy/node/web/node.ts'
import type { DesiredSite, Step } from '../../lib/endpoint/node-port.ts'
import { selfSignedFor } from '../support/self-signed.ts'

/**
 * A panel's process of its own, for tests that kill it: starts the node, prints the main processes of its
 * services, applies one site, and kills itself before or after the step of the given number.
 */
type Task = {
  options: Omit<WebNodeOptions, 'now' | 'selfSigned'>
  site?: DesiredSite
  kill?: { at: number; when: 'before' | 'after' }
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task // given by the tests alone
const node = createWebNode({
  ...task.options,
  now: () => new Date(),
  selfSigned: selfSignedFor,
})
await node.start()

let count = 0
const step: Step = async (name, run) => {
  const here = task.kill?.at === count++
  if (here && task.kill?.when === 'before') process.kill(process.pid, 'SIGKILL')
  await run()
  if (here && task.kill?.when === 'after') process.kill(process.pid, 'SIGKILL')
  console.log(`step ${name}`)
}

if (task.site !== undefined) {
  await node.syncSite(task.site, step)
  console.log('done')
} else {
  console.log(JSON.stringify(node.supervisor.names().map((name) => node.supervisor.processOf(name)?.pid)))
  await new Promise(() => setInterval(() => undefined, 1000))
}
node.supervisor.release()
