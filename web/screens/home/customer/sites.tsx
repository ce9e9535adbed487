import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { Pages } from '../../../api/hooks.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { sitePath } from '../../../links.ts'
import { common } from '../../../text/common.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Card } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { texts } from './texts.ts'

type Site = ItemOf<'GET /api/sitios'>

const MOST = 8

/** The first sites, with how they are served. */
export function SiteList({ sites, create }: { sites: Pages<Site>; create: () => void }) {
  const shown = sites.rows.slice(0, MOST)
  return (
    <Card
      title={common.sites}
      actions={
        <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={create}>
          {texts.newSite}
        </Button>
      }
    >
      <ul className="watch own-sites">
        {shown.map((site) => (
          <li key={site.domain}>
            <Link className="mono" href={sitePath(site.domain)}>
              {site.domain_unicode}
            </Link>
            <State state={site.estado} />
            <span className="small">
              HTTPS: <State state={site.https.estado} />
            </span>
          </li>
        ))}
      </ul>
      {sites.more || sites.rows.length > MOST ? (
        <p className="small">
          <Link href="/panel/sitios">{texts.allSites}</Link>
        </p>
      ) : null}
    </Card>
  )
}
