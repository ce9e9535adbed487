import { useRead } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { Folded, Loaded, PageHead } from '../../../ui/page.tsx'
import { SiteTabs } from '../tabs.tsx'
import { SiteBrowsers } from './browsers.tsx'
import { SiteCache } from './cache.tsx'
import { SiteErrorPages } from './error-pages.tsx'
import { SiteGuards } from './guards.tsx'
import { SiteHtaccess } from './htaccess.tsx'
import { SitePhp } from './php.tsx'
import { SiteAddresses } from './rules.tsx'
import { SiteServed } from './served.tsx'
import { texts } from './texts.ts'

/** What a site's owner may set: names, PHP, addresses, caches, error pages. */
export default function SiteSettings({ domain }: { domain: string }) {
  const site = useRead('GET /api/sitios/:domain', { params: { domain } })
  return (
    <Loaded of={site}>
      {(site) => (
        <>
          <PageHead mono title={site.domain_unicode} wire="GET /api/sitios/:domain" lead={common.settings} />
          <SiteTabs domain={site.domain} current="ajustes" />
          <div className="stack">
            <div className="halves">
              <div className="stack">
                <SiteServed site={site} />
                <SiteAddresses site={site} />
                <SiteGuards site={site} />
                <SiteCache site={site} />
              </div>
              <div className="stack">
                <SitePhp site={site} />
                <SiteErrorPages site={site} />
              </div>
            </div>
            <Folded title={texts.advanced}>
              <div className="stack">
                <SiteBrowsers site={site} />
                <SiteHtaccess site={site} />
              </div>
            </Folded>
          </div>
        </>
      )}
    </Loaded>
  )
}
