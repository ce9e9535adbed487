import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { bytes } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Bar } from '../../ui/meter.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { FileChoice } from '../files/choice.tsx'
import { useSent } from './sent.ts'
import { texts } from './texts.ts'

type Site = ItemOf<'GET /api/sitios'>

const DUMP = /\.sql(?:\.gz|\.zst)?$/i

type Props = {
  cliente: string
  /** As SFTP shows it: `/sitios/ejemplo.es/public/tienda.sql`. */
  value: string
  onChange: (path: string) => void
  /** Told of a file that was uploaded for this alone. */
  uploaded: (file: { domain: string; path: string }) => void
  error: string | undefined
}

/** A dump out of this computer, or of one of the client's sites. */
export function DumpField({ cliente, value, onChange, uploaded, error }: Props) {
  const sites = useRead('GET /api/sitios', { query: { cliente, limite: '200' } })
  const all = sites.data?.datos ?? []
  const [domain, setDomain] = useState<string | null>(null)
  const site = all.find((one) => one.domain === domain) ?? all[0]
  const at = (path: string) => `/sitios/${site?.domain ?? ''}${path}`
  return (
    <div className="stack">
      {all.length > 1 ? (
        <Choice
          label={texts.dumpSite}
          value={site?.domain ?? ''}
          onChange={setDomain}
          options={all.map(({ domain, domain_unicode }) => ({ value: domain, label: domain_unicode }))}
        />
      ) : null}
      {site ? (
        <Ways
          key={site.domain}
          site={site}
          chosen={value.startsWith(at('/')) ? value.slice(at('').length) : ''}
          choose={(path) => onChange(at(path))}
          uploaded={(path) => uploaded({ domain: site.domain, path })}
        />
      ) : null}
      <TextField
        mono
        label={texts.dumpPath}
        description={texts.dumpPathHint}
        placeholder={at(`/${site?.raiz_web ?? 'public'}/tienda.sql.gz`)}
        value={value}
        error={error}
        onChange={onChange}
      />
    </div>
  )
}

type WaysProps = {
  site: Site
  chosen: string
  choose: (path: string) => void
  uploaded: (path: string) => void
}

function Ways({ site: { domain, raiz_web }, chosen, choose, uploaded }: WaysProps) {
  const [looking, setLooking] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const sent = useSent(domain, (path) => {
    choose(path)
    uploaded(path)
  })
  return (
    <>
      <div className="actions">
        <Button
          size="compact-sm"
          leftSection={<Icon name="upload" size={14} />}
          loading={sent.total !== null}
          onClick={() => field.current?.click()}
        >
          {texts.ofThisComputer}
        </Button>
        <SmallButton onClick={() => setLooking(!looking)}>{texts.ofTheSite}</SmallButton>
        <input
          ref={field}
          type="file"
          hidden
          accept=".sql,.gz,.zst"
          aria-label={texts.ofThisComputer}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) void sent.begin(file, `/${raiz_web}`)
            currentTarget.value = ''
          }}
        />
      </div>
      {sent.total === null ? null : (
        <div role="status">
          <Bar share={sent.total === 0 ? null : sent.done / sent.total} tone="good" progress />
          <p className="small faint">{texts.sentOf(bytes(sent.done), bytes(sent.total))}</p>
        </div>
      )}
      {sent.error ? <ErrorNote error={sent.error} focus /> : null}
      {looking ? (
        <FileChoice
          domain={domain}
          folder={`/${raiz_web}`}
          chosen={chosen}
          choose={choose}
          fits={(name) => DUMP.test(name)}
          none={texts.noDumps}
        />
      ) : null}
    </>
  )
}
