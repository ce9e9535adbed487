import { ActionIcon } from '@mantine/core'
import { useEffect } from 'react'
import { queries } from '../../api/hooks.ts'
import { useJob } from '../../api/job.ts'
import { common } from '../../text/common.ts'
import { bytes, number } from '../../text/format.ts'
import { ErrorNote } from '../error-note.tsx'
import { Icon } from '../icons.tsx'
import { LimitAdvice } from '../limit-advice.tsx'
import { Bar } from '../meter.tsx'
import { SmallButton } from '../small-button.tsx'
import { announce } from '../toast.tsx'
import { dropTransfer, isBusy, type Transfer, transfers } from './store.ts'
import { texts } from './texts.ts'

const SHOWN = 5

/** All that is on its way, at the foot of whatever screen. */
export function TransferStrip() {
  const all = transfers.use()
  const busy = isBusy(all)
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [busy])
  if (all.length === 0) return null
  const shown = [...all].sort((a, b) => urgency(b) - urgency(a)).slice(0, SHOWN)
  return (
    <section className="transfers" aria-label={texts.transfers}>
      <ul>
        {shown.map((one) => (
          <li key={one.n}>{one.work === null ? <OneTransfer transfer={one} /> : <Work transfer={one} />}</li>
        ))}
      </ul>
      {all.length > SHOWN ? (
        <p className="faint small">{texts.moreWait(number(all.length - SHOWN))}</p>
      ) : null}
    </section>
  )
}

/** What asks something comes first, what only waits last. */
const urgency = ({ state }: Transfer): number =>
  state === 'waiting' ? 0 : state === 'going' || state === 'ending' ? 1 : 2

const WORDS = { up: 'uploading', down: 'downloading', work: 'working' } as const

function OneTransfer({ transfer }: { transfer: Transfer }) {
  const { kind, name, state, done, total, error, cancel } = transfer
  const busy = state === 'going' || state === 'ending'
  return (
    <>
      <div className="transfer">
        <span className="transfer-name">
          {texts[WORDS[kind]]} <bdi className="strong">{name}</bdi>
        </span>
        <span className="faint small">{amount(transfer)}</span>
        {busy ? (
          <Bar share={total === null ? null : total === 0 ? 1 : done / total} tone="good" progress />
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={error ? texts.putAway(name) : texts.cancelIt(name)}
          title={error ? texts.putAway(name) : texts.cancelIt(name)}
          onClick={cancel}
        >
          <Icon name="close" />
        </ActionIcon>
      </div>
      {state === 'taken' ? <Taken transfer={transfer} /> : null}
      {error ? <ErrorNote error={error} {...(transfer.resume ? { retry: transfer.resume } : {})} /> : null}
      {state === 'stopped' && !error && transfer.resume ? (
        <SmallButton onClick={transfer.resume}>{texts.goOn}</SmallButton>
      ) : null}
    </>
  )
}

function amount({ kind, state, done, total }: Transfer): string {
  if (state === 'waiting') return texts.waiting
  if (state === 'ending') return texts.ending
  if (state === 'taken' || state === 'failed' || (kind === 'work' && total === null)) return ''
  const words = total === null ? bytes(done) : `${bytes(done)} ${common.of} ${bytes(total)}`
  return state === 'stopped' ? `${words}, ${texts.stopped}` : words
}

/** Whether a file takes the place of another is asked for each, or once for all that are asked about. */
function Taken({ transfer }: { transfer: Transfer }) {
  const open = transfers.use().filter(({ state }) => state === 'taken')
  return (
    <div className="actions" role="alert">
      <span>{texts.taken}</span>
      <SmallButton onClick={transfer.replace}>{texts.replace}</SmallButton>
      <SmallButton onClick={transfer.cancel}>{texts.skip}</SmallButton>
      {open.length > 1 && open[0]?.n === transfer.n ? (
        <>
          <SmallButton onClick={() => each(open, 'replace')}>{texts.replaceAll}</SmallButton>
          <SmallButton onClick={() => each(open, 'cancel')}>{texts.skipAll}</SmallButton>
        </>
      ) : null}
    </div>
  )
}

function each(open: Transfer[], what: 'replace' | 'cancel'): void {
  for (const one of open) one[what]?.()
}

/** Long work of the panel: how far it is, and what came of it. */
function Work({ transfer }: { transfer: Transfer }) {
  const { n, name, work } = transfer
  const read = useJob(work ?? '')
  const state = read.data?.estado
  useEffect(() => {
    if (state !== 'hecha' && state !== 'cancelada') return
    announce(state === 'hecha' ? texts.done(name) : texts.givenUp(name))
    dropTransfer(n)
    void queries.invalidateQueries()
  }, [state, n, name])
  const progress = read.data?.progreso
  if (state === 'fallida') {
    const code = read.data?.resultado?.codigo
    return <Failed transfer={transfer} reason={read.data?.error ?? null} code={String(code)} />
  }
  return (
    <OneTransfer transfer={{ ...transfer, done: progress?.hecho ?? 0, total: progress?.total ?? null }} />
  )
}

type FailedProps = { transfer: Transfer; reason: string | null; code: string }

function Failed({ transfer: { n, name, again }, reason, code }: FailedProps) {
  const answer = (existing: 'sustituir' | 'omitir') => {
    dropTransfer(n)
    again?.(existing)
  }
  return (
    <div className="note note-bad" role="alert">
      <p className="note-title">
        <bdi>{name}</bdi>: {reason ?? texts.failed}
      </p>
      <LimitAdvice codigo={code} members={{}} />
      <div className="actions">
        {code === 'ya_existe' && again ? (
          <>
            <SmallButton onClick={() => answer('sustituir')}>{texts.replaceAll}</SmallButton>
            <SmallButton onClick={() => answer('omitir')}>{texts.skipAll}</SmallButton>
          </>
        ) : null}
        <SmallButton onClick={() => dropTransfer(n)}>{texts.putAway(name)}</SmallButton>
      </div>
    </div>
  )
}
