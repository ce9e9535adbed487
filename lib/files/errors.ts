import { AppError } from '../endpoint/errors.ts'
import { FIELD_MESSAGES, OTHERWISE } from '../text/field-codes.ts'

/** 422 for a header that is no number of bytes. */
export const badNumber = (campo: string, language: 'es' | 'en') =>
  new AppError('datos_invalidos', {
    campos: [
      { campo, codigo: 'numero_invalido', mensaje: (FIELD_MESSAGES.numero_invalido ?? OTHERWISE)[language] },
    ],
  })

/** 403 for what is beside the documents of a site, which is the panel's. */
export const ownFolder = (cause: unknown) =>
  new AppError('prohibido', { motivo: 'carpeta_del_panel' }, { cause })

/** Something at a destination, by its path in the site; a folder and a file do not replace each other. */
export type InTheWay = { path: string; replaceable: boolean }

/** More of it is counted, not named. */
export const NAMED_IN_THE_WAY = 100

/** 409 for what is at a destination: `found` are the first of `total`, or all of it. */
export const inTheWay = (found: InTheWay[], total = found.length) =>
  new AppError('ya_existe', {
    motivo: total === 1 ? 'una_ruta' : 'varias_rutas',
    ruta: found[0]?.path ?? '/',
    existentes: found
      .slice(0, NAMED_IN_THE_WAY)
      .map(({ path, replaceable }) => ({ ruta: path, sustituible: replaceable })),
    existentes_total: total,
  })
