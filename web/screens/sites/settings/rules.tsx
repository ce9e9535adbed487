import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { InputOf, OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { TextArea, TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from './rules-texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Redirects = NonNullable<NonNullable<InputOf<'PATCH /api/sitios/:domain'>['body']>['redirecciones']>

/** How a site's addresses are answered: the folder that is served, and where some of them lead instead. */
export function SiteAddresses({ site }: { site: SiteData }) {
  return (
    <Card title={texts.addresses}>
      <Settings
        key={JSON.stringify([site.raiz_web, site.indice_spa, site.indice, site.redirecciones])}
        site={site}
      />
    </Card>
  )
}

function Settings({ site }: { site: SiteData }) {
  const [raiz_web, setRoot] = useState(site.raiz_web)
  const [indice_spa, setSinglePage] = useState(site.indice_spa)
  const [index, setIndex] = useState(site.indice.join(' '))
  const [redirects, setRedirects] = useState(linesOf(site.redirecciones))
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{
        params: { domain: site.domain },
        body: {
          ...{ raiz_web: raiz_web.trim(), indice: indexIn(index), indice_spa },
          redirecciones: redirectsIn(redirects),
        },
      }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <TextField
            mono
            label={texts.webRoot}
            description={texts.webRootHint}
            value={raiz_web}
            onChange={setRoot}
            error={error('raiz_web')}
          />
          <TextField
            mono
            label={texts.index}
            description={texts.indexHint}
            value={index}
            onChange={setIndex}
            error={error('indice')}
          />
          <Switch
            checked={indice_spa}
            onChange={(event) => setSinglePage(event.currentTarget.checked)}
            label={texts.singlePage}
            description={texts.singlePageHint}
          />
          <TextArea
            mono
            label={texts.redirects}
            description={texts.redirectsHint}
            value={redirects}
            onChange={setRedirects}
            error={error('redirecciones')}
          />
        </>
      )}
    </OpForm>
  )
}

/** None is what all sites have. */
function indexIn(text: string): string[] | null {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** A space would part the columns: an address is written with none. */
const linesOf = (redirects: SiteData['redirecciones']): string =>
  redirects.map(({ de, a, codigo }) => `${encodeURI(de)} ${a} ${codigo}`).join('\n')

function redirectsIn(text: string): Redirects {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [de = '', a = '', status] = line.trim().split(/\s+/)
    return { de, a, ...(status === undefined ? {} : { codigo: Number(status) || 0 }) }
  })
}
