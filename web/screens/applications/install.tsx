import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { filesPath } from '../../links.ts'
import { language } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, EmailField, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { Loaded, Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Offered = OutputOf<'GET /api/aplicaciones'>['datos'][number]
type InstallProps = { site: SiteData; begun: (job: string) => void }
type Another = (domain: string) => void

const LOOK_MS = 5000
const DATABASES = '/panel/bases'

/** What can be installed into a site that has none. */
export function Install({ site, begun, another }: InstallProps & { another: Another }) {
  const offered = useRead('GET /api/aplicaciones', {})
  const content = useRead(
    'GET /api/sitios/:domain/archivos',
    { params: { domain: site.domain }, query: { ruta: `/${site.raiz_web}`, limite: '200' } },
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
        if (content.data && content.data.datos.length > 0)
          return <Full site={site} another={another} content={content.data} />
        return <InstallForm site={site} begun={begun} offered={datos} first={first} />
      }}
    </Loaded>
  )
}

type Content = OutputOf<'GET /api/sitios/:domain/archivos'>
type FullProps = { site: SiteData; another: Another; content: Content }

/** An application replaces nobody's files: the ways out. */
function Full({ site: { domain, raiz_web }, another, content }: FullProps) {
  const sub = `blog.${domain}`
  const [emptying, setEmptying] = useState(false)
  return (
    <>
      <Dialog title={texts.emptyFolder} opened={emptying} close={() => setEmptying(false)}>
        <OpForm
          op="POST /api/sitios/:domain/archivos/operaciones"
          input={{
            params: { domain },
            body: {
              operacion: 'papelera',
              rutas: content.datos.map(({ nombre }) => `/${raiz_web}/${nombre}`),
            },
          }}
          submit={texts.emptyFolder}
          danger
          cancel={() => setEmptying(false)}
          done={() => {
            setEmptying(false)
            announce(texts.emptied)
          }}
        >
          {() => <p>{texts.emptyingDoes}</p>}
        </OpForm>
      </Dialog>
      <p>{texts.folderNotEmpty}</p>
      <p className="small">{texts.waysOut(sub)}</p>
      <div className="actions">
        {content.siguiente === null ? (
          <Button variant="default" onClick={() => setEmptying(true)}>
            {texts.emptyFolder}
          </Button>
        ) : null}
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

/** Whether the plan lets the client have another database; what cannot be asked is found when it installs. */
function useNoDatabaseLeft(cliente: string): boolean {
  const { data } = useRead('GET /api/clientes/:cliente/uso', { params: { cliente } })
  const { usado = null, limite = null } = data?.consumo.bases ?? {}
  return usado !== null && limite !== null && usado >= limite
}

function InstallForm({ site, begun, offered, first }: InstallProps & { offered: Offered[]; first: Offered }) {
  const noDatabase = useNoDatabaseLeft(site.cliente)
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
      disabled={chosen.base && noDatabase}
      done={({ data }) => begun(data.tarea.id)}
    >
      {(error) => (
        <>
          {chosen.base && noDatabase ? (
            <Note tone="warn" title={texts.noDatabaseLeft}>
              <p>{texts.noDatabaseAdvice}</p>
              <Link href={DATABASES}>{texts.toDatabases}</Link>
            </Note>
          ) : null}
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
            options={languagesOf(chosen)}
          />
        </>
      )}
    </OpForm>
  )
}

const kindOf = (value: string, offered: Offered[]) =>
  offered.find(({ aplicacion }) => aplicacion === value)?.aplicacion ?? 'wordpress'

/** By their names, as people look for them. */
const languagesOf = ({ idiomas }: Offered) =>
  idiomas
    .map((value) => ({ value, label: languageName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, language.get()))

/** The name of a language in that of the interface. */
function languageName(locale: string): string {
  const [own = '', region] = locale.split('_')
  const names = new Intl.DisplayNames([language.get()], { type: 'language' })
  const name = names.of(region && /^[A-Z]{2}$/.test(region) ? `${own}-${region}` : own) ?? locale
  return name.charAt(0).toUpperCase() + name.slice(1)
}
