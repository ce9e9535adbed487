import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { clientPath, sitePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { day } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { NewSite } from './new-site.tsx'
import { texts } from './texts.ts'

type Site = ItemOf<'GET /api/sitios'>
type Query = InputOf<'GET /api/sitios'>['query']

/** Sites by cursor: all of them, or those of one client. */
export default function SiteTable({ cliente, query = {} }: { cliente?: string; query?: Query }) {
  const [open, setOpen] = useState(false)
  const now = session.use()
  const customer = now.kind === 'in' && now.person.rol === 'client'
  const sites = usePages(
    'GET /api/sitios',
    { query: { ...query, ...(cliente ? { cliente } : {}) } },
    { again: (rows) => (rows.some(isMoving) ? 2000 : false) },
  )
  const owner = {
    head: common.client,
    cell: ({ cliente }: Site) => (
      <Link className="mono" href={clientPath(cliente)}>
        {cliente}
      </Link>
    ),
  }
  return (
    <>
      {cliente ? (
        <div className="table-top">
          <Button size="xs" leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
            {texts.newSite}
          </Button>
        </div>
      ) : null}
      <PagedTable
        label={common.sites}
        pages={sites}
        rowKey={({ domain }) => domain}
        columns={[
          {
            head: common.domain,
            long: true,
            cell: (site) => (
              <>
                <Link className="name mono" href={sitePath(site.domain)}>
                  {site.domain_unicode}
                </Link>
                {site.aliases.length > 0 ? <Aliases names={site.aliases} /> : null}
              </>
            ),
          },
          ...(cliente || customer ? [] : [owner]),
          {
            head: common.state,
            cell: ({ estado, probado }) => (
              <>
                <State state={estado} />
                {customer || probado ? null : (
                  <span className="sub">
                    <State state="sin_probar" />
                  </span>
                )}
              </>
            ),
          },
          {
            head: 'HTTPS',
            cell: ({ https }) => (
              <>
                <State state={https.estado} />
                {https.estado === 'activo' && https.caduca ? (
                  <span className="sub">
                    {texts.until} {day(https.caduca)}
                  </span>
                ) : null}
              </>
            ),
          },
          { head: 'PHP', narrow: true, cell: ({ php }) => php ?? <Nothing /> },
          { head: common.zone, cell: ({ zona }) => (zona ? <code>{zona}</code> : <Nothing />) },
        ]}
        empty={<Empty icon="sites" title={texts.noSites} />}
      />
      {cliente ? <NewSite cliente={cliente} opened={open} close={() => setOpen(false)} /> : null}
    </>
  )
}

const isMoving = ({ estado, https }: Site) =>
  estado === 'preparando' || estado === 'eliminando' || https.estado === 'pendiente'

function Aliases({ names }: { names: string[] }) {
  const shown = names.slice(0, 2).join(', ')
  return (
    <span className="sub mono">
      {shown}
      {names.length > 2 ? ` +${names.length - 2}` : ''}
    </span>
  )
}
