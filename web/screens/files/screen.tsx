import { useSearchParams } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { Loaded, PageHead } from '../../ui/page.tsx'
import { SeeSite } from '../sites/see-site.tsx'
import { SiteTabs } from '../sites/tabs.tsx'
import { Browser } from './browser.tsx'
import { LIST } from './folder.ts'
import { texts } from './texts.ts'

/** The files of a site; the folder that is shown is in the address, first the one that visitors see. */
export default function Files({ domain }: { domain: string }) {
  const [search] = useSearchParams()
  const site = useRead('GET /api/sitios/:domain', { params: { domain } })
  const lead = site.data ? texts.whatIsHere(site.data.raiz_web) : undefined
  return (
    <>
      <PageHead mono title={site.data?.domain_unicode ?? domain} wire={LIST} lead={lead}>
        {site.data ? <SeeSite site={site.data} /> : null}
      </PageHead>
      <SiteTabs domain={domain} current="archivos" />
      <Loaded of={site}>
        {({ raiz_web }) => (
          <Browser domain={domain} path={search.get('ruta') || `/${raiz_web}`} served={`/${raiz_web}`} />
        )}
      </Loaded>
    </>
  )
}
