import type { Services } from '../../../lib/context.ts'
import { insertAdmin } from '../../../lib/invitations.ts'
import { createLink, LINK_MS, newLinkUrl } from '../../../lib/links.ts'
import { firstAdmin, isFirstStart } from '../../../lib/persons.ts'
import { createApp } from '../../router.ts'
import { panelCertificate } from '../certificate.ts'
import { makeDriver } from '../driver.ts'
import { startHeartbeat } from '../heartbeat.ts'
import { createRuntime, cronJobs } from '../runtime.ts'
import { startScheduler } from '../scheduler.ts'
import { serve } from '../server.ts'
import { loadAssets } from '../static.ts'
import type { Output } from './output.ts'

/** `panel start`: serves until it is told to stop; prints where, with what certificate, and the first link. */
export async function start(output: Output): Promise<void> {
  const runtime = await createRuntime(process.env, makeDriver)
  const { services, config, worker } = runtime
  const certificate = await panelCertificate(services.config, config)
  const app = createApp({ services, assets: loadAssets(), trustedProxies: config.trustedProxies, aot: true })
  const heartbeat = await startHeartbeat(services, config.dataDir)
  const listening = serve(app, certificate, config.port, config.bind)
  const scheduler = startScheduler(services, cronJobs)
  worker.wake()
  const enlace = await firstLink(services)
  output.line(
    {
      direccion: services.config.origin,
      certificado: certificate.path,
      huella: certificate.fingerprint,
      enlace,
    },
    [
      `Panel:        ${services.config.origin}`,
      `Certificate:  ${certificate.path}`,
      `Fingerprint:  ${certificate.fingerprint} (SHA-256)`,
      ...(enlace ? [`First admin:  ${enlace}  (works once, for one hour)`] : []),
    ],
  )
  await stopSignal()
  scheduler.stop()
  heartbeat.stop()
  await listening.stop()
  await runtime.close()
  process.exit(0)
}

/** On a panel whose first admin has not signed up: a fresh link for it; older ones die. */
async function firstLink(services: Services): Promise<string | null> {
  if (!(await isFirstStart(services.db.read))) return null
  const url = await services.db.write(async (tx) => {
    const person = (await firstAdmin(tx)) ?? (await insertAdmin(tx, services, null, 'es'))
    const expiresAt = new Date(services.now().getTime() + LINK_MS)
    return newLinkUrl(services, createLink(tx, services, person.id, 'primero', expiresAt))
  })
  return url.reveal()
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}
