import { AppError, isErrorCode } from '../endpoint/errors.ts'

/** How a refusal is noted for the panel's next start. */
export const codeOf = ({ codigo }: AppError): string => codigo

/** The refusal that was noted so. */
export const refusalOf = (code: string): AppError =>
  new AppError(isErrorCode(code) ? code : 'aplicacion_no_responde')
