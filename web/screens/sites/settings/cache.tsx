import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { namesIn } from '../../../ui/forms/host.ts'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

const SECONDS = 60

/** What is kept for a while instead of being made or sent anew. */
export function SiteCache({ site }: { site: SiteData }) {
  return (
    <Card title={texts.pageCache}>
      <div className="stack">
        <Settings key={JSON.stringify(site.cache)} site={site} />
        {site.cache?.segundos ? <Empty domain={site.domain} /> : null}
      </div>
    </Card>
  )
}

function Settings({ site }: { site: SiteData }) {
  const kept = site.cache?.segundos ?? null
  const [pages, setPages] = useState(kept !== null)
  const [seconds, setSeconds] = useState(String(kept ?? SECONDS))
  const [parameters, setParameters] = useState((site.cache?.parametros ?? []).join(' '))
  // What browsers keep is set beside it.
  const { estaticos = false, tipos = {} } = site.cache ?? {}
  const keepsFiles = estaticos || Object.keys(tipos).length > 0
  // What is no number is refused as zero is, and not taken for none.
  const segundos = pages ? Number(seconds) || 0 : null
  const cache = { segundos, parametros: namesIn(parameters), estaticos, tipos }
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{ params: { domain: site.domain }, body: { cache: pages || keepsFiles ? cache : null } }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <Switch
            checked={pages}
            disabled={site.php === null}
            onChange={(event) => setPages(event.currentTarget.checked)}
            label={texts.keepPagesWhile}
            description={texts.keepPagesHint}
          />
          {pages ? (
            <>
              <TextField
                label={texts.seconds}
                description={texts.secondsHint}
                value={seconds}
                onChange={setSeconds}
                error={error('cache.segundos')}
              />
              <TextField
                mono
                label={texts.parameters}
                description={texts.parametersHint}
                value={parameters}
                onChange={setParameters}
                error={error('cache.parametros')}
              />
            </>
          ) : null}
        </>
      )}
    </OpForm>
  )
}

function Empty({ domain }: { domain: string }) {
  return (
    <OpForm
      op="DELETE /api/sitios/:domain/cache"
      input={{ params: { domain } }}
      submit={texts.emptyTheCache}
      done={() => announce(texts.emptied)}
    >
      {() => <p className="faint small">{texts.emptyHint}</p>}
    </OpForm>
  )
}
