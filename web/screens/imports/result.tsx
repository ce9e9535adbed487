import type { IMPORT_KINDS } from '../../../schema/states.ts'
import type { Job } from '../../api/job.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { JobProgress, type JobWords } from '../../ui/jobs/progress.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Changed, Left, type Plan } from './plan.tsx'
import { texts } from './texts.ts'
import { keyed, whyWords } from './words.ts'

type Item = { tipo: (typeof IMPORT_KINDS)[number]; nombre: string; codigo?: string }

const words = (): JobWords => ({
  done: texts.done,
  givenUp: texts.givenUp,
  failed: texts.failed,
  giveUp: texts.giveUp,
  close: texts.another,
  working: () => texts.working,
  amount: (done, total) => texts.stepOf(number(done), number(total)),
})

/** How far an import is, and in the end what became of each thing. */
export function Result({ id, close }: { id: string; close: () => void }) {
  return (
    <Card title={texts.result} wire="GET /api/tareas/:id">
      <JobProgress id={id} words={words()} close={close} result={(job) => <InPart job={job} />}>
        {(job) => <Items job={job} />}
      </JobProgress>
    </Card>
  )
}

/** As the work itself lists them. */
const listOf = ({ resultado }: Job, key: 'hechos' | 'fallidos') => (resultado?.[key] ?? []) as Item[]

function InPart({ job }: { job: Job }) {
  return listOf(job, 'fallidos').length > 0 ? <p>{texts.doneInPart}</p> : null
}

function Items({ job }: { job: Job }) {
  const rows = [...listOf(job, 'fallidos'), ...listOf(job, 'hechos')]
  const changed = (job.resultado?.cambia ?? []) as Plan['cambia']
  const left = (job.resultado?.deja ?? []) as Plan['deja']
  if (rows.length + left.length === 0) return null
  return (
    <>
      {rows.length > 0 ? <ItemRows rows={rows} /> : null}
      {changed.length > 0 ? <Changed rows={changed} /> : null}
      {left.length > 0 ? (
        <>
          <h3>{texts.leaves}</h3>
          <Left rows={left} isMore={job.resultado?.deja_mas === true} />
        </>
      ) : null}
    </>
  )
}

function ItemRows({ rows }: { rows: Item[] }) {
  return (
    <Table
      label={texts.result}
      rows={keyed(rows)}
      rowKey={({ key }) => key}
      columns={[
        { head: common.kind, narrow: true, cell: ({ tipo }) => texts[tipo] },
        { head: common.name, long: true, cell: ({ nombre }) => <code>{nombre}</code> },
        {
          head: common.state,
          cell: ({ codigo }) => (codigo === undefined ? texts.made : `${texts.notMade}: ${whyWords(codigo)}`),
        },
      ]}
    />
  )
}
