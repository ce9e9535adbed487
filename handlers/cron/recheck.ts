import { cronHandler } from '../../lib/cron.ts'
import { runChecks } from '../../lib/mirror/checks.ts'
import { refreshQuotas } from '../../lib/mirror/refresh.ts'
import { checkDeps } from '../../lib/mirror/services.ts'

/**
 * The daily look at whether mirrored zones still point here, and at the accounts' quotas. Each zone has its
 * own hour, so the handler runs often and asks only for those whose day is over.
 */
export default cronHandler({
  name: 'recheck',
  summary: 'Check that mirrored zones still resolve to this server',
  pattern: '30 */5 * * * *',
  ttlSeconds: 600,
  async run(services) {
    const zonas = await runChecks(checkDeps(services), 'all')
    return { zonas, cuentas: await refreshQuotas(services) }
  },
})
