import { copyNode } from '../../lib/backups/destination/node.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'copia_nodo',
  summary: "Copy this node's database, keys, certificates and settings",
  pattern: '40 10 5 * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async (services) => ({ hechas: await copyNode(services) }),
})
