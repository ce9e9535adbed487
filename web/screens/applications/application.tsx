import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { session } from '../../api/session.ts'
import { language } from '../../text/language.ts'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Facts, Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { Copies } from './copies.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type ApplicationData = OutputOf<'GET /api/sitios/:domain/aplicacion'>

const LOOK_MS = 2000

/** WordPress by one form, and what became of it. */
export function Application({ site }: { site: SiteData }) {
  const params = { domain: site.domain }
  const [job, setJob] = useState<string | null>(null)
  const application = useRead(
    'GET /api/sitios/:domain/aplicacion',
    { params },
    { again: ({ estado }) => (estado === null || estado === 'activa' ? false : LOOK_MS) },
  )
  return (
    <Card title="WordPress">
      <Loaded of={application}>
        {(found) => (
          <div className="stack">
            {job ? <Outcome id={job} /> : null}
            {found.aplicacion === null ? (
              <Install site={site} offered={found.nueva} begun={setJob} />
            ) : (
              <Installed domain={site.domain} found={found} begun={setJob} />
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

type InstalledProps = { domain: string; found: ApplicationData; begun: (job: string) => void }

function Installed({ domain, found, begun }: InstalledProps) {
  if (found.estado === 'instalando') return <p className="faint small">{texts.installing}</p>
  if (found.estado === 'actualizando') return <p className="faint small">{texts.changing}</p>
  return (
    <>
      <Facts
        items={[
          [texts.version, found.version],
          [texts.newer, found.nueva ?? texts.upToDate],
        ]}
      />
      <OpForm
        op="POST /api/sitios/:domain/aplicacion/sesion"
        input={{ params: { domain } }}
        submit={texts.signIn}
        done={({ data }) => location.assign(data.url)}
      >
        {() => <p className="faint small">{texts.signInHint}</p>}
      </OpForm>
      {found.nueva === null ? null : (
        <OpForm
          op="POST /api/sitios/:domain/aplicacion/actualizar"
          input={{ params: { domain } }}
          submit={texts.update(found.nueva)}
          done={({ data }) => begun(data.tarea.id)}
        >
          {() => <p className="faint small">{texts.updateHint}</p>}
        </OpForm>
      )}
      <Copies domain={domain} found={found} begun={begun} />
    </>
  )
}

/** The work that this screen began: how far it is, or why it failed. */
function Outcome({ id }: { id: string }) {
  const job = useRead(
    'GET /api/tareas/:id',
    { params: { id } },
    { again: ({ estado }) => (estado === 'pendiente' || estado === 'en_curso' ? LOOK_MS : false) },
  )
  if (job.data?.estado === 'fallida')
    return (
      <Note tone="bad" title={texts.failed}>
        {job.data.error}
      </Note>
    )
  if (job.data?.estado === 'hecha') return <Note tone="good" title={texts.done} />
  if (job.data?.estado === 'cancelada' || !job.data?.cancelable) return null
  return (
    <OpForm
      op="DELETE /api/tareas/:id"
      input={{ params: { id } }}
      submit={texts.giveUp}
      danger
      done={() => void job.refetch()}
    />
  )
}

type InstallProps = { site: SiteData; offered: string | null; begun: (job: string) => void }

function Install({ site, offered, begun }: InstallProps) {
  const now = session.use()
  const [titulo, setTitle] = useState(site.domain_unicode)
  const [correo, setEmail] = useState(now.kind === 'in' ? (now.person.correo ?? '') : '')
  const [idioma, setLanguage] = useState(language.get() === 'es' ? 'es_ES' : 'en_US')
  if (site.php === null) return <p className="faint small">{texts.needsPhp}</p>
  if (offered === null) return <p className="faint small">{texts.noPackage}</p>
  return (
    <OpForm
      op="POST /api/sitios/:domain/aplicacion"
      input={{
        params: { domain: site.domain },
        body: { aplicacion: 'wordpress', titulo, correo, idioma },
      }}
      submit={texts.install(offered)}
      done={({ data }) => {
        begun(data.tarea.id)
        announce(texts.asked)
      }}
    >
      {(error) => (
        <>
          <p className="faint small">{texts.whatItIs}</p>
          <TextField label={texts.titleOfSite} value={titulo} onChange={setTitle} error={error('titulo')} />
          <TextField
            label={texts.email}
            type="email"
            value={correo}
            onChange={setEmail}
            error={error('correo')}
          />
          <Choice
            label={texts.language}
            value={idioma}
            onChange={setLanguage}
            error={error('idioma')}
            options={[
              { value: 'es_ES', label: texts.spanish },
              { value: 'en_US', label: texts.english },
            ]}
          />
        </>
      )}
    </OpForm>
  )
}
