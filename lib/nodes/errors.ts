import { AppError } from '../endpoint/errors.ts'
import type { Awaited } from '../endpoint/node-port.ts'
import { type FaultCode, storedFault } from '../text/stored-faults.ts'

/** 409 for new things on an absent node. */
export const absentNode = (name: string) => new AppError('nodo_ausente', { nodo: name })

/** 409 for giving up a node that is present: it would go on serving what is released. */
export const presentNode = (name: string) => new AppError('nodo_presente', { nodo: name })

const AWAITED: Record<'files' | 'databases', Record<Awaited, FaultCode>> = {
  files: { coming: 'sitio_recuperandose', failed: 'sitio_no_recuperado' },
  databases: { coming: 'bases_recuperandose', failed: 'bases_no_recuperadas' },
}

/** The fault of a site whose files, or whose client's databases, a lost node held. */
export const awaitedFault = (what: 'files' | 'databases', awaited: Awaited): string =>
  storedFault({ codigo: AWAITED[what][awaited] })
