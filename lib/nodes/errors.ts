import { AppError } from '../endpoint/errors.ts'

/** 409 for new things on an absent node. */
export const absentNode = (name: string) => new AppError('nodo_ausente', { nodo: name })

/** 409 for giving up a node that is present: it would go on serving what is released. */
export const presentNode = (name: string) => new AppError('nodo_presente', { nodo: name })
