import { writeFileSync } from 'node:fs'
import { createWebNode } from '../../deploy/node/web/node.ts'
import type { Step } from '../../lib/endpoint/node-port.ts'

/** A node run by a user without root: prints what it answers for a file and a program, active and suspended. */
type Task = {
  base: string
  httpPort: number
  httpsPort: number
  phpWithoutIsolation: boolean
  certificate: { certPem: string; keyPem: string }
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task // given by the test alone
const step: Step = (_name, run) => run()
const node = createWebNode({
  ...task,
  bind: ['127.0.0.1'],
  now: () => new Date(),
  selfSigned: async () => task.certificate,
})
await node.start()
const client = {
  clientId: 1,
  name: 'x',
  suspended: false,
  php: node.phpVersions(),
  diskBytes: null,
  inodes: null,
  limits: { cpuPercent: null, memoryBytes: null, processes: null },
}
const php = node.phpVersions().at(-1) ?? '8.2'
await node.syncClient(client, step)
await node.syncSite(
  { siteId: 1, clientId: 1, domain: 'a.es', aliases: [], suspended: false, httpsOnly: false, php },
  step,
)
writeFileSync(`${node.layout.publicOf(1, 1)}/x.php`, '<?php echo posix_getuid();')
writeFileSync(`${node.layout.publicOf(1, 1)}/x.txt`, 'texto')

const ask = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${task.httpPort}${path}`, { headers: { host: 'a.es' } })
  const body = await response.text()
  return response.ok ? body : String(response.status)
}
const active = [await ask('/x.txt'), await ask('/x.php')]
await node.syncClient({ ...client, suspended: true }, step)
const suspended = await ask('/x.txt')
await node.removeClient({ clientId: 1, hosts: ['a.es'], name: 'x' }, step)
const removed = await ask('/x.txt')
const services = (await node.services()).map(({ name, running }) => `${name} ${running}`)
console.log(JSON.stringify({ active, suspended, removed, services, bin: node.bin.list().length }))
await node.stop()
