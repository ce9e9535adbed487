import { Button } from '@mantine/core'
import { useState } from 'react'
import { IMPORT_ORIGINS } from '../../../schema/states.ts'
import { useAction, useRead } from '../../api/hooks.ts'
import type { InputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, ClientField, TextField } from '../../ui/forms/fields.tsx'
import { useFilter } from '../../ui/forms/filters.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { Card, PageHead } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { type Plan, PlanCards } from './plan.tsx'
import { Result } from './result.tsx'
import { texts } from './texts.ts'

type Wanted = InputOf<'POST /api/importaciones'>['body']

/** Imports a customer of another panel. The work's key is in the address, so that it can be come back to. */
export default function Import() {
  const [job, setJob] = useFilter('tarea')
  return (
    <>
      <PageHead title={texts.title} wire="POST /api/importaciones" lead={texts.lead} />
      <div className="stack">
        {job ? <Result id={job} close={() => setJob('')} /> : <Begin begun={setJob} />}
      </div>
    </>
  )
}

function Begin({ begun }: { begun: (job: string) => void }) {
  const [wanted, setWanted] = useState<Wanted>({ cliente: '', origen: 'hestia', ruta: '' })
  const [shown, setShown] = useState<{ plan: Plan; of: Wanted } | null>(null)
  const look = useAction('POST /api/importaciones')
  const isSaid = wanted.cliente !== '' && wanted.ruta !== ''
  const plan = shown?.of === wanted ? shown.plan : null
  const isTooLarge = look.error?.codigo === 'no_disponible'
  const ask = async () => {
    const answer = await look.run({ query: { simular: 'si' }, body: wanted })
    setShown(answer && 'toma' in answer.data ? { plan: answer.data, of: wanted } : null)
  }
  const isReady =
    isSaid && (isTooLarge || (plan !== null && plan.toma.length > 0 && plan.excesos.length === 0))
  return (
    <>
      <Card>
        <OpForm
          op="POST /api/importaciones"
          input={{ query: {}, body: wanted }}
          submit={texts.start}
          disabled={!isReady}
          beside={
            <Button variant="default" loading={look.busy} disabled={!isSaid} onClick={ask}>
              {texts.preview}
            </Button>
          }
          done={({ data }) => ('tarea' in data ? begun(data.tarea.id) : undefined)}
        >
          {(error) => (
            <>
              <Fields wanted={wanted} change={setWanted} error={error} />
              {look.error ? <ErrorNote error={look.error} /> : null}
              {isTooLarge ? <Note tone="info" title={texts.tooLarge} /> : null}
            </>
          )}
        </OpForm>
      </Card>
      {plan ? <PlanCards plan={plan} /> : null}
    </>
  )
}

type FieldsProps = { wanted: Wanted; change: (wanted: Wanted) => void; error: FieldErrors }

function Fields({ wanted, change, error }: FieldsProps) {
  const origins = IMPORT_ORIGINS.map((value) => ({ value, label: texts[value] }))
  return (
    <>
      <ClientField
        label={common.client}
        value={wanted.cliente}
        onChange={(cliente) => change({ ...wanted, cliente: cliente.trim() })}
        error={error('cliente')}
      />
      <Choice
        label={texts.origin}
        value={wanted.origen}
        options={origins}
        onChange={(chosen) =>
          change({ ...wanted, origen: IMPORT_ORIGINS.find((one) => one === chosen) ?? 'hestia' })
        }
        error={error('origen')}
      />
      <ArchiveField
        value={wanted.ruta}
        onChange={(ruta) => change({ ...wanted, ruta })}
        error={error('ruta')}
      />
    </>
  )
}

/** The archives of this node to choose from; a name to be typed where there is no such list. */
function ArchiveField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (ruta: string) => void
  error: string | undefined
}) {
  const found = useRead('GET /api/importaciones', { query: { limite: '200' } })
  const { datos = [], siguiente = null } = found.data ?? {}
  const isListed = datos.length > 0 && siguiente === null
  const hint = found.data && datos.length === 0 ? `${texts.noFiles} ${texts.fileHint}` : texts.fileHint
  const about = { label: texts.file, description: hint, value, error }
  if (!isListed) return <TextField mono {...about} onChange={(ruta) => onChange(ruta.trim())} />
  const options = datos.map((one) => ({ value: one.ruta, label: `${one.ruta} (${bytes(one.bytes)})` }))
  return <Choice {...about} onChange={onChange} options={[{ value: '', label: '' }, ...options]} />
}
