import { AppError } from '../endpoint/errors.ts'
import { FIELD_MESSAGES, OTHERWISE } from '../text/fields.ts'

/** 422 for a header that is no number of bytes. */
export const badNumber = (campo: string, language: 'es' | 'en') =>
  new AppError('datos_invalidos', {
    campos: [
      { campo, codigo: 'numero_invalido', mensaje: (FIELD_MESSAGES.numero_invalido ?? OTHERWISE)[language] },
    ],
  })

/** 409: the files are on the node of their client. */
export const elsewhere = (client: { node: string }) =>
  new AppError('cliente_en_otro_nodo', { nodo: client.node })
