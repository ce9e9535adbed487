import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { InputOf, OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { type RowErrors, Rows, rowErrors } from '../../../ui/forms/rows.tsx'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { fromRoot, typedAddress } from './addresses.ts'
import { texts } from './rules-texts.ts'
import { folderIn, WebRootField } from './web-root.tsx'

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
  const [redirects, setRedirects] = useState(rowsOf(site.redirecciones))
  const written = redirects.filter(isWritten)
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{
        params: { domain: site.domain },
        body: {
          ...{ raiz_web: folderIn(raiz_web), indice: indexIn(index), indice_spa },
          redirecciones: redirectsIn(written),
        },
      }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <WebRootField
            domain={site.domain}
            kept={site.raiz_web}
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
          <RedirectRows
            rows={redirects}
            put={setRedirects}
            error={rowErrors(error, 'redirecciones', { rows: redirects, written })}
          />
          <p className="faint small">{texts.redirectsHint}</p>
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

type Row = { de: string; a: string; codigo: string }
const NO_REDIRECT: Row = { de: '', a: '', codigo: '301' }

const rowsOf = (redirects: SiteData['redirecciones']): Row[] =>
  redirects.map(({ de, a, codigo }) => ({ de: typedAddress(de), a, codigo: String(codigo) }))

const isWritten = ({ de, a }: Row): boolean => `${de}${a}`.trim() !== ''

const redirectsIn = (rows: Row[]): Redirects =>
  rows.map(({ de, a, codigo }) => ({ de: fromRoot(de), a: a.trim(), codigo: Number(codigo) }))

function RedirectRows({ rows, put, error }: { rows: Row[]; put: (rows: Row[]) => void; error: RowErrors }) {
  return (
    <Rows
      {...{ legend: texts.redirects, rows, put, fresh: NO_REDIRECT }}
      {...{ add: texts.addRedirect, remove: texts.removeRedirect, error: error.whole }}
    >
      {({ de, a, codigo }, change, { index, label }) => (
        <>
          <TextField
            mono
            label={label(texts.from)}
            placeholder="/antes"
            value={de}
            onChange={(typed) => change({ de: typed })}
            error={error.at(index, 'de') ?? error.row(index)}
          />
          <TextField
            mono
            label={label(texts.to)}
            placeholder="/ahora"
            value={a}
            onChange={(typed) => change({ a: typed })}
            error={error.at(index, 'a')}
          />
          <Choice
            label={label(texts.redirectKind)}
            value={codigo}
            options={REDIRECT_KINDS.map((status) => ({ value: status, label: texts[`kind${status}`] }))}
            onChange={(chosen) => change({ codigo: chosen })}
            error={error.at(index, 'codigo')}
          />
        </>
      )}
    </Rows>
  )
}

const REDIRECT_KINDS = ['301', '302', '307', '308'] as const
