import { cronHandler } from '../../lib/cron.ts'
import { runChecks } from '../../lib/mirror/checks.ts'
import { refreshQuotas } from '../../lib/mirror/refresh.ts'
import { checkDeps } from '../../lib/mirror/services.ts'

/** The daily look at whether mirrored zones still point here, and at the accounts' quotas. */
export default cronHandler({
  name: 'recheck',
  summary: 'Check that mirrored zones still resolve to this server',
  pattern: '0 17 3 * * *',
  ttlSeconds: 1800,
  async run(services) {
    const zonas = await runChecks(checkDeps(services), 'all')
    return { zonas, cuentas: await refreshQuotas(services) }
  },
})
