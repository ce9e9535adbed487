import { recordAudit } from '../../../lib/audit/audit.ts'
import { adminLink } from '../../../lib/identity/invitations.ts'
import { emailAddress } from '../../../lib/text/email-address.ts'
import { createRuntime } from '../runtime.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel admin invitar --correo X`: a link for a further admin, or a reset link for an existing one. */
export async function admin(given: Given, output: Output): Promise<void> {
  const address = given.get('--correo') ?? ''
  const email = emailAddress(address)
  if (email === null) throw new UsageError(`--correo ${address}: that is no e-mail address`)
  const runtime = await createRuntime(process.env)
  const { services } = runtime
  const { link, person } = await services.db.write(async (tx) => {
    const made = await adminLink(tx, services, email)
    recordAudit(tx, services, {
      actor: { kind: 'system' },
      operation: 'panel admin invitar',
      outcome: 'hecho',
      requestId: null,
      note: { target: made.person.id },
    })
    return made
  })
  const para = person.passwordHash === null ? 'invitar' : 'restablecer'
  output.line({ correo: email, para, enlace: link.reveal() }, [link.reveal()])
  await runtime.close()
}
