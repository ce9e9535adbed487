import { useRef, useState } from 'react'
import type { JOB_STATES } from '../../../schema/states.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'

type Client = Pick<ItemOf<'GET /api/clientes'>, 'cliente' | 'estado' | 'motivo' | 'plan'>
export type BulkKind = 'suspend' | 'activate' | 'plan' | 'link'
type Wanted = { motivo: string; plan: string | null }
export type Outcome = {
  cliente: string
  state: (typeof JOB_STATES)[number]
  error: string | null
}

const OPERATIONS = {
  suspend: 'POST /api/clientes/:cliente/suspender',
  activate: 'POST /api/clientes/:cliente/activar',
  plan: 'POST /api/clientes/:cliente/plan',
  link: 'POST /api/clientes/:cliente/acceso/restablecer',
} as const
type BulkOperation = (typeof OPERATIONS)[BulkKind]
type Step = { cliente: string; op: BulkOperation; input: InputOf<BulkOperation> }

/** Requests under way at once: the panel answers others in the meantime. */
const AT_ONCE = 3

/** The requests of one action, one for each client. */
export const stepsFor = (kind: BulkKind, clients: Client[], { motivo, plan }: Wanted): Step[] =>
  clients.map(({ cliente }) => ({
    cliente,
    op: OPERATIONS[kind],
    input: {
      params: { cliente },
      ...(kind === 'suspend' ? { body: motivo.trim() ? { motivo: motivo.trim() } : {} } : {}),
      ...(kind === 'plan' ? { body: { plan } } : {}),
    } as InputOf<BulkOperation>,
  }))

/** The requests that bring back what there was, for those that were changed; a mail cannot be taken back. */
export function undoSteps(kind: BulkKind, clients: Client[], outcomes: Outcome[]): Step[] {
  const done = new Set(outcomes.filter(({ state }) => state === 'hecha').map(({ cliente }) => cliente))
  const changed = clients.filter(({ cliente }) => done.has(cliente))
  if (kind === 'plan') {
    return changed.flatMap((client) => stepsFor('plan', [client], { motivo: '', plan: client.plan }))
  }
  if (kind === 'suspend') {
    const were = changed.filter(({ estado }) => estado === 'activo')
    return stepsFor('activate', were, { motivo: '', plan: null })
  }
  if (kind === 'link') return []
  const were = changed.filter(({ estado }) => estado === 'suspendido')
  return were.flatMap((client) => stepsFor('suspend', [client], { motivo: client.motivo ?? '', plan: null }))
}

export const undoable = (kind: BulkKind, outcomes: Outcome[]): boolean =>
  kind !== 'link' && outcomes.some(({ state }) => state === 'hecha')

type Parts = {
  clients: Client[]
  send: (op: BulkOperation, input: InputOf<BulkOperation>) => Promise<unknown>
  /** What is told of a request that failed. */
  problem: (thrown: unknown) => string
  settled: () => void
}

/** Sends the requests of an action a few at a time, and keeps what became of each. */
export function useBulk({ clients, send, problem, settled }: Parts) {
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null)
  const [undone, setUndone] = useState(false)
  const stopped = useRef(false)
  const tell = (outcome: Outcome) =>
    setOutcomes((before) => (before ?? []).map((one) => (one.cliente === outcome.cliente ? outcome : one)))
  const run = async (steps: Step[]) => {
    stopped.current = false
    setOutcomes(steps.map(({ cliente }) => ({ cliente, state: 'pendiente', error: null })))
    const stop = () => stopped.current
    await Promise.all(Array.from({ length: AT_ONCE }, () => takeSteps(steps, { send, problem, tell, stop })))
    settled()
  }
  return {
    outcomes,
    undone,
    start: (kind: BulkKind, wanted: Wanted) => void run(stepsFor(kind, clients, wanted)),
    undo: (kind: BulkKind) => {
      setUndone(true)
      void run(undoSteps(kind, clients, outcomes ?? []))
    },
    stop: () => {
      stopped.current = true
    },
  }
}

type Taking = Pick<Parts, 'send' | 'problem'> & { tell: (outcome: Outcome) => void; stop: () => boolean }

/** Takes one step after the other from those that are left, beside others that do the same. */
async function takeSteps(steps: Step[], { send, problem, tell, stop }: Taking): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) {
    const { cliente, op, input } = step
    if (stop()) {
      tell({ cliente, state: 'cancelada', error: null })
      continue
    }
    tell({ cliente, state: 'en_curso', error: null })
    await send(op, input).then(
      () => tell({ cliente, state: 'hecha', error: null }),
      (thrown) => tell({ cliente, state: 'fallida', error: problem(thrown) }),
    )
  }
}
