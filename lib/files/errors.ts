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
