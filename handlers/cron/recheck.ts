import { runChecks } from '../../lib/mirror/checks.ts'
import { refreshQuotas } from '../../lib/mirror/refresh.ts'
import { checkDeps } from '../../lib/mirror/services.ts'
import { lookAtNames } from '../../lib/proof/look.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/**
 * Checks daily whether mirrored zones still point here, how full the provider accounts are, and delegations and
 * proofs.
 */
export default cronHandler({
  name: 'recheck',
  summary:
    'Check that mirrored zones still resolve to this server, where zones are delegated and what is proven',
  pattern: '0 17 3 * * *',
  ttlSeconds: 1800,
  async run(services) {
    const zonas = await runChecks(checkDeps(services), 'all')
    const cuentas = await refreshQuotas(services)
    return { zonas, cuentas, nombres: await lookAtNames(services, 'all') }
  },
})
