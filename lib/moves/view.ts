import { type Client, requireClient } from '../clients/decide.ts'
import type { RunCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import { type Reading, reading } from '../store/reading.ts'
import { later } from '../work/back-off.ts'
import { CONFIRMED_MS, type Move, type MoveFacts, type Preview } from './decide.ts'
import { selectMoved } from './facts.ts'
import type { EmptyingView, MoveView, PreviewView } from './shapes.ts'

export const previewView = (facts: MoveFacts, preview: Preview): PreviewView => ({
  cliente: facts.client.name,
  ...{ de: facts.client.node, a: preview.target },
  mueve: {
    sitios: facts.sites.map(({ domain }) => domain),
    bases: facts.databases.map(({ name }) => name),
    zonas: facts.zones.map(({ name }) => name),
    ...{ cuentas_sftp: facts.sftpAccounts, programadas: facts.schedules, bytes: preview.bytes },
  },
  cambia: preview.changes.map(({ what, before, after }) => ({ que: what, actual: before, despues: after })),
  impide: preview.obstacles.map(({ what, objects }) => ({ que: what, objetos: objects })),
})

export const moveView = (client: Pick<Client, 'name' | 'node'>, move: Move): MoveView => ({
  cliente: client.name,
  ...{ de: move.source, a: move.target, nodo: client.node },
  ...{ fase: move.phase, tarea: move.job },
  empezada: wireTime(move.startedAt),
  cerrado_desde: wireTime(move.closedAt),
  cambiada: wireTime(move.switchedAt),
  se_confirma: wireTime(
    move.phase === 'mudada' && move.switchedAt ? later(move.switchedAt, CONFIRMED_MS) : null,
  ),
  espera: move.phase === 'mudada' ? move.waits : null,
})

/** What a move that was done answers. */
export const movedView = ({ target, source }: Pick<Move, 'target' | 'source'>) => ({
  nodo: target,
  desde: source,
})

/** A client's move; 404 where it has none. */
export function moveReading({ tx, actor }: Pick<RunCtx, 'tx' | 'actor'>, name: string): Reading<MoveView> {
  return reading(selectMoved(tx, actor, name), ([row]) => {
    const { client, move } = requireClient(row)
    if (!move) throw new AppError('mudanza_no_existe')
    return moveView(client, move)
  })
}

export const emptyingView = (
  { node, target }: { node: string; target: string },
  { datos, total, siguiente }: { datos: string[]; total: number; siguiente: string | null },
): EmptyingView => ({ de: node, a: target, clientes: datos, total, siguiente })

/** What emptying a node answers: how many clients moved, and which did not. */
export const emptiedView = (moved: number, refused: Map<string, string>) => ({
  mudados: moved,
  quedan: [...refused].map(([cliente, codigo]) => ({ cliente, codigo })),
})
