import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { Choice, TextArea } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { hostIn, namesIn } from '../../../ui/forms/host.ts'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

/** A site's further names, its PHP, and whether it is served by HTTPS alone. */
export function SiteServed({ site }: { site: SiteData }) {
  return (
    <Card title={texts.namesAndPhp}>
      <Settings key={JSON.stringify([site.aliases, site.php, site.solo_https])} site={site} />
    </Card>
  )
}

function Settings({ site }: { site: SiteData }) {
  const [aliases, setAliases] = useState(site.aliases.join('\n'))
  const [php, setPhp] = useState(site.php ?? '')
  const [solo_https, setOnlyHttps] = useState(site.solo_https)
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{
        params: { domain: site.domain },
        body: { aliases: namesIn(aliases).map(hostIn), php: php || null, solo_https },
      }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <TextArea
            mono
            label={common.aliases}
            description={texts.oneALine}
            value={aliases}
            onChange={setAliases}
            error={error('aliases')}
          />
          <Php value={php} onChange={setPhp} error={error('php')} versions={site.php_disponibles} />
          <Switch
            checked={solo_https}
            onChange={(event) => setOnlyHttps(event.currentTarget.checked)}
            label={texts.redirectHttp}
            description={texts.redirectHint}
          />
        </>
      )}
    </OpForm>
  )
}

/** The versions that the site's node has; the one that is set stays offered where the node lost it. */
function Php({
  value,
  onChange,
  error,
  versions,
}: {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  versions: string[]
}) {
  const offered = value === '' || versions.includes(value) ? versions : [...versions, value]
  return (
    <Choice
      label="PHP"
      value={value}
      onChange={onChange}
      error={error}
      options={[
        { value: '', label: texts.off },
        ...offered.map((version) => ({ value: version, label: version })),
      ]}
    />
  )
}
