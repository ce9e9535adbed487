import { useState } from 'react'
import { PAGE_STATUSES } from '../../../../schema/states.ts'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

/** A site's own pages for errors. */
export function SiteErrorPages({ site }: { site: SiteData }) {
  return (
    <Card title={texts.errorPages}>
      <Settings key={JSON.stringify(site.paginas_error)} site={site} />
    </Card>
  )
}

function Settings({ site: { domain, paginas_error } }: { site: SiteData }) {
  const [pages, setPages] = useState(paginas_error)
  const wanted = Object.fromEntries(
    PAGE_STATUSES.flatMap((status) => {
      const page = pages[status]?.trim() ?? ''
      return page === '' ? [] : [[status, page]]
    }),
  )
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{ params: { domain }, body: { paginas_error: wanted } }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <p className="faint small">{texts.errorPagesHint}</p>
          {PAGE_STATUSES.map((status) => (
            <TextField
              key={status}
              mono
              label={`${status}: ${texts[`pageFor${status}`]}`}
              value={pages[status] ?? ''}
              onChange={(page) => setPages({ ...pages, [status]: page })}
              error={error(`paginas_error.${status}`)}
            />
          ))}
        </>
      )}
    </OpForm>
  )
}
