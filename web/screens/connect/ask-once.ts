import { useEffect } from 'react'
import { useAction } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'

type Site = Pick<ItemOf<'GET /api/sitios'>, 'domain' | 'https'>

/** The sites that it was done for since the page was loaded. */
const asked = new Set<string>()

/**
 * Asks for a site's certificate as soon as its names are seen to lead here. Only where that is what it waits for: what
 * the authority refused is tried again at its own pace.
 */
export function useCertificateOnceConnected({ domain, https }: Site, connected: boolean): void {
  const { run } = useAction('POST /api/sitios/:domain/https')
  const waits = https.estado === 'pendiente' && https.error !== null
  useEffect(() => {
    if (!connected || !waits || asked.has(domain)) return
    asked.add(domain)
    void run({ params: { domain } })
  }, [connected, waits, domain, run])
}
