import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { Job } from '../../api/job.ts'
import { sitePath } from '../../links.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { HostField, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { isHost, optional, required } from '../../ui/forms/rules.ts'
import { JobProgress, jobWords } from '../../ui/jobs/progress.tsx'
import { useIsOperator } from '../../ui/look/wire.tsx'
import { Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import type { Deleted } from './data.ts'
import { type Left, LeftOut, leftOutOf } from './left-out.tsx'
import { Recreate } from './recreate.tsx'
import { texts } from './texts.ts'

const RESTORE = 'POST /api/papelera/:id/restaurar'
type Props = { entry: Deleted; close: () => void }

/** Restores an entry: tells before what happens, and how far it is. */
export function Restore({ entry, close }: Props) {
  const [job, setJob] = useState<string | null>(null)
  if (job === null) return <Choose entry={entry} close={close} begun={setJob} />
  return <JobProgress id={job} words={jobWords(texts)} close={close} result={(job) => <Where job={job} />} />
}

function Where({ job: { resultado } }: { job: Job }) {
  const { sitio, base, ruta, omitidos } = resultado ?? {}
  if (typeof sitio === 'string') {
    return (
      <>
        <LeftOut title={texts.wasLeftOut} left={leftOutOf(omitidos)} />
        <p>
          <Link href={sitePath(sitio)}>{texts.toTheSite(sitio)}</Link>
        </p>
      </>
    )
  }
  if (typeof base === 'string') return <p>{texts.contentIsBack(base)}</p>
  return typeof ruta === 'string' ? (
    <p>
      {texts.isIn} <code>{ruta}</code>
    </p>
  ) : null
}

type Body = { sitio?: string; base?: string; aparte?: boolean }

function Choose({ entry, close, begun }: Props & { begun: (job: string) => void }) {
  const operator = useIsOperator()
  const [into, setInto] = useState(entry.tipo === 'cliente' ? '' : entry.nombre)
  const [apart, setApart] = useState(false)
  const body = bodyOf(entry, { into: into.trim(), apart })
  const look = useLook(entry.id, body)
  const missing = ['sitio_no_existe', 'base_no_existe'].includes(look.error?.codigo ?? '')
  const fields = (
    <>
      {apart ? null : <Into entry={entry} value={into} onChange={setInto} />}
      {operator && entry.tipo !== 'cliente' ? (
        <Checkbox
          label={texts.apartInstead}
          checked={apart}
          onChange={(event) => setApart(event.currentTarget.checked)}
        />
      ) : null}
      <Outcome look={look} into={into.trim()} entry={entry} />
    </>
  )
  const done = ({ data }: { data: { tarea: { id: string } } | object }) =>
    'tarea' in data ? begun(data.tarea.id) : undefined
  if (missing && entry.tipo !== 'cliente' && entry.cliente !== null) {
    return (
      <Recreate entry={entry} name={into.trim()} body={body} begun={begun} close={close}>
        {fields}
      </Recreate>
    )
  }
  return (
    <OpForm
      op={RESTORE}
      input={{ params: { id: entry.id }, query: {}, body }}
      submit={texts.restoreIt}
      disabled={look.error !== null || look.plan === null}
      cancel={close}
      done={done}
    >
      {() => fields}
    </OpForm>
  )
}

type IntoProps = { entry: Deleted; value: string; onChange: (value: string) => void }

/** What gets it: a site or a database. */
const Into = ({ entry, ...field }: IntoProps) =>
  entry.tipo === 'sitio' ? (
    <HostField label={texts.intoSite} {...field} />
  ) : entry.tipo === 'cliente' ? (
    <HostField
      label={texts.oneSiteOf}
      description={texts.oneSiteOfHint}
      check={optional(isHost)}
      {...field}
    />
  ) : (
    <TextField mono label={texts.intoDatabase} check={required} {...field} />
  )

function bodyOf({ tipo }: Deleted, { into, apart }: { into: string; apart: boolean }): Body {
  if (apart) return { aparte: true }
  if (tipo === 'sitio') return { sitio: into }
  if (tipo === 'cliente') return into === '' ? {} : { sitio: into }
  return { base: into }
}

type Plan = { sitio: string | null; base: string | null; aparte: boolean; ajustes: boolean; omitidos: Left[] }
type Look = { plan: Plan | null; error: ApiError | null; busy: boolean }

/** What restoring would do, as the panel tells it without doing it. */
function useLook(id: string, body: Body): Look {
  const [settled] = useDebouncedValue(body, 300, { leading: true })
  const isSettled = JSON.stringify(settled) === JSON.stringify(body)
  const read = useQuery({
    queryKey: [RESTORE, id, settled],
    queryFn: ({ signal }) =>
      call(RESTORE, { params: { id }, query: { simular: 'si' }, body: settled }, { signal }),
    retry: false,
  })
  const plan = isSettled && read.data !== undefined && 'aparte' in read.data ? read.data : null
  const error = isSettled && read.error ? asApiError(read.error) : null
  return { plan, error, busy: !isSettled || read.isPending }
}

type OutcomeProps = { look: Look; into: string; entry: Deleted }

function Outcome({ look: { plan, error, busy }, into, entry }: OutcomeProps) {
  if (busy) return <Waiting lines={2} />
  if (error)
    return entry.tipo === 'cliente' ? <ErrorNote error={error} /> : <Refusal error={error} into={into} />
  if (plan?.sitio)
    return (
      <>
        <Note tone="info" title={texts.siteGets(plan.sitio)}>
          <p>{plan.ajustes ? texts.siteGetsAdvice : texts.siteGetsFilesAlone}</p>
        </Note>
        <LeftOut title={texts.leftOut} left={plan.omitidos} />
      </>
    )
  if (plan?.base)
    return (
      <Note tone="warn" title={texts.databaseGets(plan.base)}>
        <p>{texts.databaseGetsAdvice}</p>
      </Note>
    )
  return (
    <Note tone="info" title={texts.apart}>
      <p>{texts.apartAdvice}</p>
    </Note>
  )
}

function Refusal({ error, into }: { error: ApiError; into: string }) {
  if (error.codigo === 'sitio_no_existe')
    return (
      <Note tone="info" title={texts.siteGone(into)}>
        <p>{texts.siteIsCreated}</p>
      </Note>
    )
  if (error.codigo === 'base_no_existe')
    return (
      <Note tone="info" title={texts.databaseGone(into)}>
        <p>{texts.databaseIsCreated}</p>
      </Note>
    )
  if (error.codigo === 'sitio_no_vacio')
    return (
      <Note tone="warn" title={texts.siteFilled(into)}>
        <p>{texts.siteFilledAdvice}</p>
      </Note>
    )
  return <ErrorNote error={error} />
}
