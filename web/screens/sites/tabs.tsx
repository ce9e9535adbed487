import { filesPath, logsPath, sitePath, siteSettingsPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { TabLinks } from '../../ui/page.tsx'
import { texts } from './texts.ts'

/** The pages of a site. */
export function SiteTabs({
  domain,
  current,
}: {
  domain: string
  current: 'detalle' | 'archivos' | 'ajustes' | 'bitacora'
}) {
  return (
    <TabLinks
      label={domain}
      current={current}
      tabs={[
        { id: 'detalle', href: sitePath(domain), label: texts.siteItself },
        { id: 'archivos', href: filesPath(domain), label: texts.itsFiles },
        { id: 'ajustes', href: siteSettingsPath(domain), label: common.settings },
        { id: 'bitacora', href: logsPath(domain), label: texts.logs },
      ]}
    />
  )
}
