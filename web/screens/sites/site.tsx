import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { clientPath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { dateTime, day, relative } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card, Facts, Loaded, PageHead } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { Application } from '../applications/application.tsx'
import { useCertificateOnceConnected } from '../connect/ask-once.ts'
import { CertificateFault } from '../connect/certificate-fault.tsx'
import { useConnection } from '../connect/data.ts'
import { ConnectCard } from '../connect/panel.tsx'
import { NewSite } from './new-site.tsx'
import { PhpErrors } from './php-errors.tsx'
import { Schedules } from './schedules/card.tsx'
import { SeeSite } from './see-site.tsx'
import { SiteTabs } from './tabs.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

/** One site: what is on it, how it is served, its certificate, its tasks. */
export default function Site({ domain }: { domain: string }) {
  const site = useRead(
    'GET /api/sitios/:domain',
    { params: { domain } },
    {
      again: ({ estado, https }) =>
        estado === 'preparando' || estado === 'eliminando' || https.estado === 'pendiente' ? 2000 : false,
    },
  )
  return <Loaded of={site}>{(site) => <LoadedSite site={site} />}</Loaded>
}

function LoadedSite({ site }: { site: SiteData }) {
  const [removing, setRemoving] = useState(false)
  const [another, setAnother] = useState<string | null>(null)
  const now = session.use()
  useCertificateOnceConnected(site, useConnection(site.domain).data?.conectado === true)
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <>
      <PageHead
        mono
        title={site.domain_unicode}
        wire="GET /api/sitios/:domain"
        lead={
          <span className="head-line">
            <State state={site.estado} />
            {admin && !site.probado ? <State state="sin_probar" /> : null}
            {site.domain === site.domain_unicode ? null : <code>{site.domain}</code>}
          </span>
        }
      >
        <SeeSite site={site} />
        <Button
          variant="default"
          disabled={site.estado === 'eliminando'}
          leftSection={<Icon name="trash" />}
          onClick={() => setRemoving(true)}
        >
          {common.delete}
        </Button>
      </PageHead>
      <SiteTabs domain={site.domain} current="detalle" />
      <div className="stack">
        {site.error ? (
          <Note tone="bad" title={texts.theNodeReports}>
            {site.error}
          </Note>
        ) : null}
        {site.php === null ? null : <PhpErrors domain={site.domain} />}
        <ConnectCard domain={site.domain} />
        <div className="halves">
          <Application site={site} another={setAnother} />
          <Card title={texts.certificate}>
            <Certificate site={site} />
          </Card>
        </div>
        <Card title={texts.servedAs}>
          <div className="facts-wide">
            <About site={site} admin={admin} />
          </div>
        </Card>
        <Schedules domain={site.domain} />
      </div>
      <NewSite
        cliente={site.cliente}
        suggested={another ?? ''}
        opened={another !== null}
        close={() => setAnother(null)}
      />
      <Dialog
        title={`${common.delete} ${site.domain_unicode}`}
        opened={removing}
        close={() => setRemoving(false)}
      >
        <RemoveSite site={site} close={() => setRemoving(false)} />
      </Dialog>
    </>
  )
}

function About({ site, admin }: { site: SiteData; admin: boolean }) {
  return (
    <Facts
      items={[
        [
          common.client,
          admin ? (
            <Link key="c" className="mono" href={clientPath(site.cliente)}>
              {site.cliente}
            </Link>
          ) : (
            <code key="c">{site.cliente}</code>
          ),
        ],
        [common.aliases, site.aliases.length > 0 ? <Lines key="a" lines={site.aliases} /> : null],
        ['PHP', site.php],
        [texts.httpsOnly, httpsOnlyWords(site)],
        [
          common.zone,
          site.zona ? (
            <Link key="z" className="mono" href={zonePath(site.zona)}>
              {site.zona}
            </Link>
          ) : (
            texts.noneHere
          ),
        ],
        ...(site.raiz
          ? ([[texts.directory, <code key="d">{site.raiz}</code>]] as [string, React.ReactNode][])
          : []),
        ...(admin ? ([[texts.proven, provenWords(site)]] as [string, string][]) : []),
        [common.node, <code key="n">{site.nodo}</code>],
        [common.created, dateTime(site.creado)],
      ]}
    />
  )
}

const provenWords = ({ probado }: SiteData): string => (probado ? texts.yes : texts.notProven)

/** Before there is a certificate that browsers trust, visitors would only meet a warning. */
function httpsOnlyWords({ solo_https, solo_https_en_espera }: SiteData): string {
  if (!solo_https) return texts.no
  return solo_https_en_espera ? texts.httpsOnlyWaits : texts.yes
}

const Lines = ({ lines }: { lines: string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>
        <code>{line}</code>
      </li>
    ))}
  </ul>
)

function Certificate({ site }: { site: SiteData }) {
  const { https } = site
  // Its own one, which is served meanwhile, is nothing to rely on.
  const trusted = https.emisor !== null
  const asking = https.estado === 'pendiente' && https.error === null
  return (
    <div className="stack">
      <Facts
        items={[
          [common.state, <State key="s" state={https.estado} />],
          [texts.issuer, https.emisor],
          [
            common.expires,
            trusted && https.caduca ? `${day(https.caduca)} · ${relative(https.caduca)}` : null,
          ],
          [common.names, https.nombres.length > 0 ? <Lines key="l" lines={https.nombres} /> : null],
        ]}
      />
      <CertificateFault https={https} />
      <OpForm
        op="POST /api/sitios/:domain/https"
        input={{ params: { domain: site.domain } }}
        submit={texts.askCertificateNow}
        disabled={asking}
        done={() => announce(texts.askedFor)}
      >
        {() => <p className="faint small">{asking ? texts.alreadyAsked : texts.certificateHint}</p>}
      </OpForm>
    </div>
  )
}

function RemoveSite({ site, close }: { site: SiteData; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <OpForm
      op="DELETE /api/sitios/:domain"
      input={{ params: { domain: site.domain } }}
      submit={common.delete}
      danger
      disabled={typed !== site.domain}
      cancel={close}
      done={({ data }) => {
        announce(
          data.copia_previa === 'limite' ? texts.deletedUncopied : common.deleted,
          () => navigate('/panel/papelera'),
          common.lookIntoBin,
        )
        close()
        navigate('/panel/sitios')
      }}
    >
      {() => (
        <>
          <p>{texts.whatDeletingDoes}</p>
          <TextField
            mono
            label={`${common.typeTheWord} ${site.domain}`}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
