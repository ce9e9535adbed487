import { useEffect, useState } from 'react'
import { queries, useRead } from '../../api/hooks.ts'
import { useJob } from '../../api/job.ts'
import type { OutputOf } from '../../api/operations.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Facts, Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { Copies } from './copies.tsx'
import { Install } from './install.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type ApplicationData = OutputOf<'GET /api/sitios/:domain/aplicacion'>

const LOOK_MS = 2000

/** An application by one form, and what became of it; `another` offers a further site under a domain. */
export function Application({ site, another }: { site: SiteData; another: (domain: string) => void }) {
  const params = { domain: site.domain }
  const [job, setJob] = useState<string | null>(null)
  const application = useRead(
    'GET /api/sitios/:domain/aplicacion',
    { params },
    { again: ({ estado }) => (estado === null || estado === 'activa' ? false : LOOK_MS) },
  )
  return (
    <Card title={texts.application}>
      <Loaded of={application}>
        {(found) => (
          <div className="stack">
            {job ? <Outcome id={job} /> : null}
            {found.aplicacion === null ? (
              <Install site={site} begun={setJob} another={another} />
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
          [texts.application, found.nombre],
          [texts.version, found.version],
          [texts.newer, found.nueva ?? texts.upToDate],
        ]}
      />
      {found.admite.includes('sesion') ? <SignIn domain={domain} /> : null}
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
      {found.admite.includes('clonar') ? <Copies domain={domain} found={found} begun={begun} /> : null}
    </>
  )
}

function SignIn({ domain }: { domain: string }) {
  return (
    <OpForm
      op="POST /api/sitios/:domain/aplicacion/sesion"
      input={{ params: { domain } }}
      submit={texts.signIn}
      done={({ data }) => location.assign(data.url)}
    >
      {() => <p className="faint small">{texts.signInHint}</p>}
    </OpForm>
  )
}

/** The work that this screen began: how far it is, or why it failed. */
function Outcome({ id }: { id: string }) {
  const job = useJob(id)
  const state = job.data?.estado
  // What it made besides, such as a task of the site, is on this screen too.
  useEffect(() => {
    if (state === 'hecha') void queries.invalidateQueries()
  }, [state])
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
