import { AppError } from '../endpoint/errors.ts'
import type { Awaited } from '../endpoint/node-port.ts'
import { storedFault } from '../text/stored-faults.ts'

/** 409 for new things on an absent node. */
export const absentNode = (name: string) => new AppError('nodo_ausente', { nodo: name })

/** 409 for giving up a node that is present: it would go on serving what is released. */
export const presentNode = (name: string) => new AppError('nodo_presente', { nodo: name })

/** The fault of a site whose files a lost node held. */
export const awaitedFault = (awaited: Awaited): string =>
  storedFault({ codigo: awaited === 'failed' ? 'sitio_no_recuperado' : 'sitio_recuperandose' })
