import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { filesPath } from '../../links.ts'
import { language } from '../../text/language.ts'
import { Choice, EmailField, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { Loaded, Waiting } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Offered = OutputOf<'GET /api/aplicaciones'>['datos'][number]
type InstallProps = { site: SiteData; begun: (job: string) => void }
type Another = (domain: string) => void

const LOOK_MS = 5000

/** What can be installed into a site that has none. */
export function Install({ site, begun, another }: InstallProps & { another: Another }) {
  const offered = useRead('GET /api/aplicaciones', {})
  const content = useRead(
    'GET /api/sitios/:domain/archivos',
    { params: { domain: site.domain }, query: { ruta: `/${site.raiz_web}`, limite: '1' } },
    // It may be emptied elsewhere, such as over SFTP.
    { again: ({ datos }) => (datos.length > 0 ? LOOK_MS : false) },
  )
  return (
    <Loaded of={offered}>
      {({ datos }) => {
        const [first] = datos
        if (site.php === null) return <p className="faint small">{texts.needsPhp}</p>
        if (!first) return <p className="faint small">{texts.noPackage}</p>
        if (content.isPending) return <Waiting lines={2} />
        // Where the folder cannot be looked at, the panel looks before it installs.
        if (content.data && content.data.datos.length > 0) return <Full site={site} another={another} />
        return <InstallForm site={site} begun={begun} offered={datos} first={first} />
      }}
    </Loaded>
  )
}

/** An application replaces nobody's files: the ways out. */
function Full({ site: { domain, raiz_web }, another }: { site: SiteData; another: Another }) {
  const sub = `blog.${domain}`
  return (
    <>
      <p>{texts.folderNotEmpty}</p>
      <p className="small">{texts.waysOut(sub)}</p>
      <div className="actions">
        <Button component={Link} href={filesPath(domain, `/${raiz_web}`)} variant="default">
          {texts.goToFiles}
        </Button>
        <Button variant="default" onClick={() => another(sub)}>
          {texts.createSite(sub)}
        </Button>
      </div>
    </>
  )
}

function InstallForm({ site, begun, offered, first }: InstallProps & { offered: Offered[]; first: Offered }) {
  const now = session.use()
  const [aplicacion, setApplication] = useState(first.aplicacion)
  const [titulo, setTitle] = useState(site.domain_unicode)
  const [correo, setEmail] = useState(now.kind === 'in' ? (now.person.correo ?? '') : '')
  const [wanted, setLanguage] = useState(language.get() === 'es' ? 'es_ES' : 'en_US')
  const chosen = offered.find((one) => one.aplicacion === aplicacion) ?? first
  const idioma = chosen.idiomas.includes(wanted) ? wanted : 'en_US'
  return (
    <OpForm
      op="POST /api/sitios/:domain/aplicacion"
      input={{ params: { domain: site.domain }, body: { aplicacion, titulo, correo, idioma } }}
      submit={texts.install(`${chosen.nombre} ${chosen.version}`)}
      done={({ data }) => {
        begun(data.tarea.id)
        announce(texts.asked(chosen.nombre))
      }}
    >
      {(error) => (
        <>
          <Choice
            label={texts.application}
            description={`${chosen.descripcion} ${chosen.base ? texts.withDatabase : texts.withoutDatabase}`}
            value={aplicacion}
            onChange={(value) => setApplication(kindOf(value, offered))}
            error={error('aplicacion')}
            options={offered.map((one) => ({ value: one.aplicacion, label: one.nombre }))}
          />
          <TextField
            label={texts.titleOfSite}
            value={titulo}
            onChange={setTitle}
            check={required}
            error={error('titulo')}
          />
          <EmailField
            label={texts.email}
            description={texts.emailHint(chosen.nombre)}
            value={correo}
            onChange={setEmail}
            error={error('correo')}
          />
          <Choice
            label={texts.language}
            value={idioma}
            onChange={setLanguage}
            error={error('idioma')}
            options={chosen.idiomas.map((value) => ({ value, label: languageName(value) }))}
          />
        </>
      )}
    </OpForm>
  )
}

const kindOf = (value: string, offered: Offered[]) =>
  offered.find(({ aplicacion }) => aplicacion === value)?.aplicacion ?? 'wordpress'

/** The name of a language in that of the interface. */
function languageName(locale: string): string {
  const [own = '', region] = locale.split('_')
  const names = new Intl.DisplayNames([language.get()], { type: 'language' })
  const name = names.of(region && /^[A-Z]{2}$/.test(region) ? `${own}-${region}` : own) ?? locale
  return name.charAt(0).toUpperCase() + name.slice(1)
}
