import { useEffect, useState } from 'react'
import { queries, useAction, useRead } from '../../api/hooks.ts'
import { type Job, useJob } from '../../api/job.ts'
import type { OutputOf } from '../../api/operations.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { Bar } from '../../ui/meter.tsx'
import { NewTabButton } from '../../ui/new-tab.tsx'
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
            {job ? <Outcome id={job} found={found} /> : null}
            {found.aplicacion === null ? (
              <Install site={site} begun={setJob} another={another} />
            ) : (
              <Installed domain={site.domain} found={found} begun={setJob} told={job !== null} />
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

type InstalledProps = {
  domain: string
  found: ApplicationData
  begun: (job: string) => void
  told: boolean
}

function Installed({ domain, found, begun, told }: InstalledProps) {
  // What this screen began is told of above, with how far it is.
  if (found.estado === 'instalando') return told ? null : <p>{texts.installing}</p>
  if (found.estado === 'actualizando') return told ? null : <p>{texts.changing}</p>
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

const SignIn = ({ domain }: { domain: string }) => (
  <div className="stack">
    <div>
      <NewTabButton
        op="POST /api/sitios/:domain/aplicacion/sesion"
        input={{ params: { domain } }}
        url={({ data }) => data.url}
        label={texts.signIn}
      />
    </div>
    <p className="faint small">{texts.signInHint}</p>
  </div>
)

/** The work that this screen began: how far it is, or why it failed. */
function Outcome({ id, found }: { id: string; found: ApplicationData }) {
  const job = useJob(id)
  const state = job.data?.estado
  // What it made besides, such as a task of the site, is on this screen too.
  useEffect(() => {
    if (state === 'hecha') void queries.invalidateQueries()
  }, [state])
  if (!job.data || state === 'cancelada') return null
  if (state === 'fallida')
    return (
      <Note tone="bad" title={texts.failed}>
        {job.data.error}
      </Note>
    )
  if (state === 'hecha') {
    const isNew = job.data.operacion === INSTALLING && found.nombre !== null
    return <Note tone="good" title={isNew ? texts.installed(found.nombre ?? '') : texts.done} />
  }
  return <UnderWay job={job.data} />
}

const INSTALLING = 'aplicacion.instalar'

function UnderWay({ job: { id, operacion, progreso, cancelable } }: { job: Job }) {
  const cancel = useAction('DELETE /api/tareas/:id')
  const share = progreso?.total ? progreso.hecho / progreso.total : null
  return (
    <div className="stack">
      <p>{operacion === INSTALLING ? texts.installing : texts.changing}</p>
      <Bar share={share} tone="good" progress />
      {cancelable ? (
        <div>
          <button
            type="button"
            className="link-button"
            disabled={cancel.busy}
            onClick={() => void cancel.run({ params: { id } })}
          >
            {texts.giveUp}
          </button>
        </div>
      ) : null}
    </div>
  )
}
