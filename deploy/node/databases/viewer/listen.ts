import { mayLookInto } from '../../../../lib/databases/views.ts'
import { rootMessage } from '../../../../lib/text/root-message.ts'
import type { Pair } from '../../certificates/own.ts'
import type { Runtime } from '../../runtime.ts'
import { type Listening, serve } from '../../server.ts'
import { createViewApp, viewsOrigin } from './app.ts'
import type { View } from './views.ts'

const LOOK_MS = 1_000

/** Serves databases to browsers on a port of its own, beside `panel`; where it is taken, the panel serves without it. */
export async function listenForViews(
  { services, config, hands }: Runtime,
  certificate: Pair,
  panel: Listening,
): Promise<Listening> {
  if (config.viewsPort === null || hands === null) return panel
  const viewer = () => hands.viewer()
  const report = (reason: string) => services.log('warn', 'service', { service: 'adminer', reason })
  const isAllowed = (view: View) => mayLookInto(services, view)
  const origin = viewsOrigin(services.config.host, config.viewsPort)
  const app = createViewApp({ viewer, origin, panel: services.config.origin, isAllowed, report })
  const own = await serve(app, certificate, config.viewsPort, config.bind).catch((error) => {
    services.log('error', 'service not started', { service: 'adminer', reason: rootMessage(error) })
    return null
  })
  if (own === null) return panel
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    await viewer()
      ?.views.sweep(isAllowed)
      .catch((error) => report(rootMessage(error)))
    isLooking = false
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return {
    isSelfSigned: panel.isSelfSigned,
    async replace(pair) {
      await panel.replace(pair)
      await own.replace(pair)
    },
    async stop() {
      clearInterval(timer)
      await Promise.all([panel.stop(), own.stop()])
    },
  }
}
