import { Link, useLocation } from 'wouter'
import type { ApiError } from '../api/errors.ts'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { session } from '../api/session.ts'
import { filesBinPath } from '../links.ts'
import { bytes, number } from '../text/format.ts'
import { texts } from './texts.ts'

type Use = OutputOf<'GET /api/clientes/:cliente/uso'>

/** Which limit of the plan an answer is about, how much of it is used, and what a person can do. */
export function LimitAdvice({ codigo, members }: Pick<ApiError, 'codigo' | 'members'>) {
  if (codigo === 'sin_espacio') return <NoSpace members={members} />
  return codigo === 'no_disponible' ? <NoProcesses /> : null
}

/** What the customer who is signed in uses; nothing for an administrator. */
function useOwnUse(): Use['consumo'] | null {
  const now = session.use()
  const cliente = now.kind === 'in' ? now.person.cliente : null
  const { data } = useRead(
    'GET /api/clientes/:cliente/uso',
    { params: { cliente: cliente ?? '' } },
    { enabled: cliente !== null },
  )
  return data?.consumo ?? null
}

function NoSpace({ members: { recurso, usado, limite } }: { members: ApiError['members'] }) {
  const [path] = useLocation()
  const own = useOwnUse()
  const isFiles = recurso === 'inodos'
  const measured = isFiles ? own?.inodos : own?.disco_bytes
  // A quota of the file system refuses without numbers: then those that were measured last are told.
  const told = typeof limite === 'number' ? { usado, limite } : measured
  const [, site] = path.match(/^\/panel\/sitios\/([^/]+)\//) ?? []
  const amount = isFiles ? number : bytes
  const isTold = typeof told?.usado === 'number' && typeof told.limite === 'number'
  return (
    <>
      <p>
        {isTold ? `${texts.planUsed(amount(Number(told.limite)), amount(Number(told.usado)), isFiles)} ` : ''}
        {texts.binCounts}
      </p>
      <p>
        <Link href={site ? filesBinPath(decodeURIComponent(site)) : '/panel/papelera'}>
          {texts.emptyTheBin}
        </Link>
      </p>
    </>
  )
}

/** A client whose processes are at their limit can have no program begun, also not the one that reads its files. */
function NoProcesses() {
  const processes = useOwnUse()?.procesos
  if (!processes || processes.usado === null || processes.limite === null) return null
  if (processes.usado < processes.limite) return null
  return <p>{texts.processesUsed(number(processes.limite), number(processes.usado))}</p>
}
