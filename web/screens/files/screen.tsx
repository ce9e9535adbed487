import { useSearchParams } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { PageHead } from '../../ui/page.tsx'
import { SiteTabs } from '../sites/tabs.tsx'
import { Browser } from './browser.tsx'
import { LIST } from './folder.ts'
import { texts } from './texts.ts'

/** The files of a site; the folder that is shown is in the address. */
export default function Files({ domain }: { domain: string }) {
  const [search] = useSearchParams()
  const site = useRead('GET /api/sitios/:domain', { params: { domain } })
  const path = search.get('ruta') || '/'
  const served = path === `/${site.data?.raiz_web}`
  return (
    <>
      <PageHead mono title={site.data?.domain_unicode ?? domain} wire={LIST} lead={texts.whatIsHere} />
      <SiteTabs domain={domain} current="archivos" />
      <Browser domain={domain} path={path} served={served} />
    </>
  )
}
