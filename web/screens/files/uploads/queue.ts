import type { Upload } from 'tus-js-client'
import { call } from '../../../api/client.ts'
import { asApiError } from '../../../api/errors.ts'
import { queries } from '../../../api/hooks.ts'
import { siteAddress } from '../../../links.ts'
import { announce } from '../../../ui/toast.tsx'
import { addTransfer, changeTransfer, dropTransfer, transfers } from '../../../ui/transfers/store.ts'
import { texts as sites } from '../../sites/texts.ts'
import { LIST } from '../folder.ts'
import { nameOf, shownName } from '../paths.ts'
import { texts } from '../texts.ts'
import { isCut, isTaken, type Outcome, problemOf, tusUpload } from './tus.ts'

/** Uploads at once: more would only share the same line. */
const AT_ONCE = 3

/** A file and the path that it is to have. */
export type Wanted = { domain: string; path: string; file: File }
type Queued = Wanted & { n: number; replaces: boolean; upload: Upload | null }

/** They live beside the screens, as what is shown of them does. */
const queued = new Map<number, Queued>()

/** Uploads files one after another, whatever screen is shown. */
export function uploadFiles(wanted: Wanted[]): void {
  for (const one of wanted) {
    const name = shownName(nameOf(one.path))
    const n = addTransfer({
      ...{ kind: 'up', name, state: 'waiting', total: one.file.size },
      cancel: () => cancel(n),
    })
    queued.set(n, { ...one, n, replaces: false, upload: null })
  }
  pump()
}

function pump(): void {
  const ups = transfers.get().filter(({ kind }) => kind === 'up')
  const going = ups.filter(({ state }) => state === 'going' || state === 'ending').length
  const next = ups.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - going))
  for (const { n } of next) {
    const one = queued.get(n)
    if (one) void begin(one)
  }
}

async function begin(one: Queued): Promise<void> {
  changeTransfer(one.n, { state: 'going', error: null })
  try {
    const upload = await tusUpload(one, {
      reached: (done) => changeTransfer(one.n, { done, state: done === one.file.size ? 'ending' : 'going' }),
      ended: (outcome) => void end(one, outcome),
    })
    // It may have been cancelled meanwhile.
    if (!queued.has(one.n)) return
    one.upload = upload
    upload.start()
  } catch (thrown) {
    stop(one, { state: 'failed', error: asApiError(thrown) })
  }
}

async function end(one: Queued, outcome: Outcome): Promise<void> {
  if (outcome === 'done') {
    queued.delete(one.n)
    dropTransfer(one.n)
    arrived++
    lookAgain()
    pump()
    return tellArrived(one.domain)
  }
  if (isCut(outcome)) return stop(one, { state: 'stopped', error: null })
  const error = await problemOf(outcome)
  if (isTaken(error)) stop(one, { state: 'taken', error: null })
  else stop(one, { state: 'failed', error })
}

type Stop = Pick<Parameters<typeof changeTransfer>[1], 'state' | 'error'>

/** Waits for its person; others go on meanwhile. */
function stop(one: Queued, change: Stop): void {
  const again = (replaces: boolean) => {
    // An upload that was not to replace anything is begun anew.
    if (replaces !== one.replaces) one.upload = null
    one.replaces = replaces
    changeTransfer(one.n, { state: 'waiting', error: null })
    pump()
  }
  changeTransfer(one.n, {
    ...change,
    resume: () => again(one.replaces),
    replace: () => again(true),
  })
  pump()
}

function cancel(n: number): void {
  // What was sent of it is removed; where that cannot be said now, the panel does so after a day.
  void queued
    .get(n)
    ?.upload?.abort(true)
    .catch(() => undefined)
  queued.delete(n)
  dropTransfer(n)
  pump()
}

let arrived = 0

/** Once all that could go has gone. */
function tellArrived(domain: string): void {
  const going = ['waiting', 'going', 'ending']
  if (transfers.get().some(({ kind, state }) => kind === 'up' && going.includes(state))) return
  announce(texts.uploaded(arrived), () => void openSite(domain), sites.seeSite)
  arrived = 0
}

async function openSite(domain: string): Promise<void> {
  const site = await call('GET /api/sitios/:domain', { params: { domain } })
  open(siteAddress(site), '_blank', 'noreferrer')
}

let looking: ReturnType<typeof setTimeout> | null = null

/** The folder shows what came, though not after each of a hundred files. */
function lookAgain(): void {
  if (looking !== null) return
  looking = setTimeout(() => {
    looking = null
    void queries.invalidateQueries({ queryKey: [LIST] })
  }, 400)
}

addEventListener('online', () => {
  for (const { kind, state, resume } of transfers.get()) if (kind === 'up' && state === 'stopped') resume?.()
})
