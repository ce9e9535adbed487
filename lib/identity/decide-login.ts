import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import { emailKey } from '../text/email-address.ts'

/**
 * Refuses a login of this address for a client (specification 5.3). A token may make one only for an account that a
 * token created.
 */
export function requireLoginAllowed(
  client: Pick<Client, 'createdBy' | 'email'>,
  { byToken, exists, email }: { byToken: boolean; exists: boolean; email: string },
): void {
  if (byToken && client.createdBy !== 'token') throw new AppError('solo_cuentas_de_token')
  if (exists) throw new AppError('acceso_ya_existe')
  if (client.email !== null && emailKey(client.email) !== emailKey(email))
    throw new AppError('correo_distinto')
}
