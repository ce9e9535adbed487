import { filesPath, logsPath, sitePath } from '../../links.ts'
import { TabLinks } from '../../ui/page.tsx'
import { texts } from './texts.ts'

/** The pages of a site. */
export function SiteTabs({
  domain,
  current,
}: {
  domain: string
  current: 'detalle' | 'archivos' | 'bitacora'
}) {
  return (
    <TabLinks
      label={domain}
      current={current}
      tabs={[
        { id: 'detalle', href: sitePath(domain), label: texts.siteItself },
        { id: 'archivos', href: filesPath(domain), label: texts.itsFiles },
        { id: 'bitacora', href: logsPath(domain), label: texts.logs },
      ]}
    />
  )
}
