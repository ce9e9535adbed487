import { Link } from 'wouter'
import { common } from '../../../text/common.ts'
import { number } from '../../../text/format.ts'
import { jobWords } from '../../../text/tasks.ts'
import { State } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'
import { Watch } from './watch.tsx'

type Waiting = Summary['trabajo']

/** Background work: what failed, what runs, and what waits. */
export function Work({ work }: { work: Waiting }) {
  const failed = work.con_fallo.map(({ id, tipo, cliente, objeto, error }) => ({
    key: id,
    content: (
      <>
        <State state="fallida" label={named(tipo, cliente, objeto)} />
        {error ? <span className="sub">{error}</span> : null}
      </>
    ),
  }))
  const going = work.en_marcha.map(({ id, tipo, cliente, objeto, estado, error }) => ({
    key: id,
    content: (
      <>
        <State state={estado} label={named(tipo, cliente, objeto)} />
        {error ? <span className="sub">{error}</span> : null}
      </>
    ),
  }))
  return (
    <Watch
      title={texts.waitingWork}
      items={[...failed, ...going]}
      fine={texts.nothingWaits}
      more={
        <>
          <Counts work={work} />{' '}
          <Link href={work.fallidas > 0 ? '/panel/tareas?estado=fallida' : '/panel/tareas'}>
            {work.fallidas > 0 ? texts.seeAndRetry : common.jobs}
          </Link>
        </>
      }
    />
  )
}

const named = (kind: string, client: string | null, object: string | null) =>
  [jobWords(kind), object ?? client].filter(Boolean).join(' · ')

/** What the list leaves out, and the mails. */
function Counts({ work }: { work: Waiting }) {
  const counts: [number, string][] = [
    [work.en_curso, texts.running],
    [work.pendientes, texts.pending],
    [work.fallidas, texts.failed],
    [work.correos_en_cola, texts.mailsWaiting],
    [work.correos_fallidos, texts.mailsFailed],
  ]
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${number(count)} ${words}`)
  return told.length > 0 ? <span className="faint">{told.join(', ')}.</span> : null
}
