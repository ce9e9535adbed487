import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { session } from '../api/session.ts'
import { dateTime, day, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, namesIn, TextArea, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Facts, Loaded, PageHead } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import { clientPath, zonePath } from './places.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>

/** One site: how it is served, its certificate, its settings. */
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
  const now = session.use()
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
            {site.domain === site.domain_unicode ? null : <code>{site.domain}</code>}
          </span>
        }
      >
        <Button
          component="a"
          href={`https://${site.domain}/`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<Icon name="external" />}
        >
          {t('Open', 'Abrir')}
        </Button>
        <Button
          variant="default"
          disabled={site.estado === 'eliminando'}
          leftSection={<Icon name="trash" />}
          onClick={() => setRemoving(true)}
        >
          {t('Delete', 'Eliminar')}
        </Button>
      </PageHead>
      {site.error ? (
        <Note tone="bad" title={t('The node reports', 'El nodo informa')}>
          {site.error}
        </Note>
      ) : null}
      <div className="halves">
        <Card title={t('Served as', 'Cómo se sirve')}>
          <About site={site} admin={admin} />
        </Card>
        <Card title={t('Certificate', 'Certificado')}>
          <Certificate site={site} />
        </Card>
        <Card title={t('Settings', 'Ajustes')}>
          <Settings key={JSON.stringify([site.aliases, site.php, site.solo_https])} site={site} />
        </Card>
      </div>
      <Dialog
        title={`${t('Delete', 'Eliminar')} ${site.domain_unicode}`}
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
          t('Client', 'Cliente'),
          admin ? (
            <Link key="c" className="mono" href={clientPath(site.cliente)}>
              {site.cliente}
            </Link>
          ) : (
            <code key="c">{site.cliente}</code>
          ),
        ],
        [t('Aliases', 'Alias'), site.aliases.length > 0 ? <Lines key="a" lines={site.aliases} /> : null],
        ['PHP', site.php],
        [t('HTTPS only', 'Solo HTTPS'), httpsOnlyWords(site)],
        [
          t('Zone', 'Zona'),
          site.zona ? (
            <Link key="z" className="mono" href={zonePath(site.zona)}>
              {site.zona}
            </Link>
          ) : (
            t('none here', 'ninguna aquí')
          ),
        ],
        ...(site.raiz
          ? ([[t('Directory', 'Directorio'), <code key="d">{site.raiz}</code>]] as [
              string,
              React.ReactNode,
            ][])
          : []),
        [t('Node', 'Nodo'), <code key="n">{site.nodo}</code>],
        [t('Created', 'Creado'), dateTime(site.creado)],
      ]}
    />
  )
}

/** Before there is a certificate that browsers trust, visitors would only meet a warning. */
function httpsOnlyWords({ solo_https, solo_https_en_espera }: SiteData): string {
  if (!solo_https) return t('no', 'no')
  return solo_https_en_espera
    ? t(
        'begins once there is a certificate that browsers trust',
        'empieza cuando haya un certificado en el que confíen los navegadores',
      )
    : t('yes', 'sí')
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
  return (
    <div className="stack">
      <Facts
        items={[
          [t('State', 'Estado'), <State key="s" state={https.estado} />],
          [t('Issuer', 'Emisor'), https.emisor],
          [t('Expires', 'Caduca'), https.caduca ? `${day(https.caduca)} · ${relative(https.caduca)}` : null],
          [t('Names', 'Nombres'), https.nombres.length > 0 ? <Lines key="l" lines={https.nombres} /> : null],
        ]}
      />
      {https.error ? <Note tone="bad" title={https.error} /> : null}
      <OpForm
        op="POST /api/sitios/:domain/https"
        input={{ params: { domain: site.domain } }}
        submit={t('Ask for a certificate now', 'Pedir un certificado ahora')}
        disabled={https.estado === 'pendiente'}
        done={() => announce(t('Asked for.', 'Pedido.'))}
      >
        {() => (
          <p className="faint small">
            {t(
              'Only names that resolve to this server can get one. It is renewed by itself at two thirds of its life.',
              'Solo los nombres que resuelven a este servidor pueden tenerlo. Se renueva solo a los dos tercios de su vida.',
            )}
          </p>
        )}
      </OpForm>
    </div>
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
        body: { aliases: namesIn(aliases), php: php || null, solo_https },
      }}
      submit={t('Save', 'Guardar')}
      done={() => announce(t('Saved.', 'Guardado.'))}
    >
      {(error) => (
        <>
          <TextArea
            mono
            label={t('Aliases', 'Alias')}
            description={t('One a line.', 'Uno por línea.')}
            value={aliases}
            onChange={setAliases}
            error={error('aliases')}
          />
          <Php value={php} onChange={setPhp} error={error('php')} versions={site.php_disponibles} />
          <Switch
            checked={solo_https}
            onChange={(event) => setOnlyHttps(event.currentTarget.checked)}
            label={t('HTTPS only: HTTP is redirected', 'Solo HTTPS: HTTP se redirige')}
            description={t(
              'Takes effect while the certificate is one that browsers trust.',
              'Tiene efecto mientras el certificado sea uno en el que confíen los navegadores.',
            )}
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
        { value: '', label: t('Off', 'Desactivado') },
        ...offered.map((version) => ({ value: version, label: version })),
      ]}
    />
  )
}

function RemoveSite({ site, close }: { site: SiteData; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <OpForm
      op="DELETE /api/sitios/:domain"
      input={{ params: { domain: site.domain } }}
      submit={t('Delete', 'Eliminar')}
      danger
      disabled={typed !== site.domain}
      cancel={close}
      done={() => {
        announce(t('Deleted.', 'Eliminado.'))
        close()
        navigate('/panel/sitios')
      }}
    >
      {() => (
        <>
          <p>
            {t(
              'The site stops being served and its certificate goes; its zone goes with it unless somebody changed it.',
              'Deja de servirse y se va su certificado; su zona se va con él salvo que alguien la cambiara.',
            )}
          </p>
          <TextField
            mono
            label={`${t('Type', 'Escriba')} ${site.domain}`}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
