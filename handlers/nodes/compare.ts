import { compareNode } from '../../lib/clients/compare.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** The panel's tables are the truth: a daily run finds what a node holds otherwise, and has it repaired. */
export default cronHandler({
  name: 'diferencias',
  summary:
    'Compare users, directories, names, access and databases of this node with the panel, and repair what differs',
  pattern: '0 20 4 * * *',
  ttlSeconds: 300,
  everyNode: true,
  async run(services) {
    const found = await compareNode(services)
    if (found === null) return { comparados: 0 }
    return {
      comparados: found.compared,
      reparados: found.repaired.length,
      sin_carpeta: found.left.length,
      nombres_ajenos: found.dropped.length,
      bases_ajenas: found.databases.length,
      cuentas_ajenas: found.accounts.length,
    }
  },
})
