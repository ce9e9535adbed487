import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { totpCode, totpStep } from '../../lib/sign-in/totp.ts'
import type { Answer, Panel } from './panel.ts'

export type SignedIn = {
  bearer: string
  cookie: string
  email: string
  password: string
  totp: string
  recovery: string[]
}

export const PASSWORD = 'una frase larga y rara 7'

/** Spends a link as a person would: password, authenticator, first code; answers the open session. At the node. */
export async function enrol(
  panel: Panel,
  link: string,
  email: string,
  extra: Record<string, string> = {},
  password = PASSWORD,
): Promise<SignedIn> {
  const access = (path: string, body: object) => panel.atNode('POST', `/acceso${path}`, { body })
  const spent = await access('/enlace/gastar', { enlace: link, contrasena: password, ...extra })
  if (spent.status !== 200) throw new Error(`the link was not spent: ${JSON.stringify(spent.body)}`)
  const totp: string = spent.body.totp.secreto
  const enrolled = await access('/segundo-factor/inscribir', {
    paso_token: spent.body.paso_token,
    codigo: await codeOf(panel, totp),
  })
  if (enrolled.status !== 200) throw new Error(`no factor: ${JSON.stringify(enrolled.body)}`)
  return {
    bearer: enrolled.body.sesion,
    cookie: cookieOf(enrolled),
    email,
    password,
    totp,
    recovery: enrolled.body.codigos_recuperacion,
  }
}

/** The first admin of a fresh panel, signed in. */
export async function firstAdmin(panel: Panel, email = 'admin@ejemplo.es'): Promise<SignedIn> {
  const secret = panel.firstLink?.split('#')[1]
  if (!secret) throw new Error('this panel has an admin already')
  return enrol(panel, secret, email, { correo: email })
}

/** A new API token of this admin. */
export async function newToken(panel: Panel, admin: SignedIn, nombre = 'facturacion'): Promise<string> {
  const made = await panel.api('POST', '/tokens', {
    bearer: admin.bearer,
    body: { nombre, caduca: dayFromNow(200) },
  })
  if (made.status !== 201) throw new Error(`no token: ${JSON.stringify(made.body)}`)
  return made.body.token
}

/** The current code of a TOTP secret by the panel's clock; `steps` moves it by steps of 30 seconds. */
export async function codeOf(panel: Panel, totp: string, steps = 0): Promise<string> {
  return totpCode(totp, totpStep(await nowOf(panel)) + steps)
}

/** The panel's time. */
export async function nowOf(panel: Panel): Promise<Date> {
  const offset = await readFile(join(panel.dataDir, 'clock'), 'utf8').catch(() => '0')
  return new Date(Date.now() + 1000 * Number(offset))
}

/** A date this many days after today, `YYYY-MM-DD`. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** The renewal cookie that an answer set, as a request carries it. */
export function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
