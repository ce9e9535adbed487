import { AppError } from '../endpoint/errors.ts'

/** 409 `demasiadas_cuentas`. */
export const tooManyAccounts = (limite: number) => new AppError('demasiadas_cuentas', { limite })
