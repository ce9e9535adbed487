import { expect } from 'bun:test'
import type { Answer, Json, Panel } from '../support/panel.ts'
import { enrol, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { count } from './store.ts'

/** Limits so high that a file of tests never meets them; those of the limits themselves set their own. */
export const ROOMY = {
  PANEL_LIMITE_ACCESO: '100000',
  PANEL_LIMITE_ESCRITURAS: '100000',
  PANEL_LIMITE_ESCRITURAS_DIA: '1000000',
  PANEL_LIMITE_PETICIONES: '100000',
}

/** A client made with this bearer; fails unless it is new. */
export async function newClient(
  panel: Panel,
  bearer: string,
  cliente: string,
  more: object = {},
): Promise<Json> {
  const made = await panel.api('POST', '/clientes', { bearer, body: { cliente, ...more } })
  if (made.status !== 201) throw new Error(`no client: ${JSON.stringify(made.body)}`)
  return made.body
}

/** A client whose login waits for its activation; answers the link's secret once it was mailed. */
export async function newLogin(
  panel: Panel,
  bearer: string,
  cliente: string,
  correo = `${cliente}@cliente.es`,
): Promise<string> {
  await newClient(panel, bearer, cliente)
  const made = await panel.atNode('POST', `/api/clientes/${cliente}/acceso`, { bearer, body: { correo } })
  if (made.status !== 201) throw new Error(`no login: ${JSON.stringify(made.body)}`)
  return (await panel.mailTo(correo)).link ?? ''
}

/** A client whose customer is signed in. */
export async function newCustomer(panel: Panel, bearer: string, cliente: string): Promise<SignedIn> {
  return enrol(panel, await newLogin(panel, bearer, cliente), `${cliente}@cliente.es`)
}

/** A further admin, invited by this one and signed in. */
export async function newAdmin(
  panel: Panel,
  admin: SignedIn,
  correo: string,
): Promise<SignedIn & { id: string }> {
  const invited = await panel.atNode('POST', '/api/personas', { bearer: admin.bearer, body: { correo } })
  if (invited.status !== 201) throw new Error(`not invited: ${JSON.stringify(invited.body)}`)
  const mail = await panel.mailTo(correo)
  return { ...(await enrol(panel, mail.link ?? '', correo)), id: invited.body.id }
}

/**
 * Deletes a client and waits until it is gone. A host that waits for the work answers once it is, another answers
 * 202 before; fails where the answer says something else.
 */
export async function deleteClient(panel: Panel, bearer: string, cliente: string): Promise<void> {
  const path = `/clientes/${cliente}`
  const { status, body } = await panel.api('DELETE', path, { bearer })
  expect([status, body]).toEqual(
    panel.waits ? [200, { cliente, eliminado: true }] : [202, { cliente, estado: 'eliminando' }],
  )
  if (panel.waits) return
  await eventually(async () => (await panel.api('GET', path, { bearer })).status === 404, 'the end of it')
}

/** A site's state once its work is done: that of the answer, where the host waits for the work. */
export async function settledSite(panel: Panel, bearer: string, answered: Json): Promise<string> {
  expect(answered.estado).toBe(panel.waits ? 'activo' : 'preparando')
  const now = () => panel.api('GET', `/sitios/${answered.domain}`, { bearer })
  if (!panel.waits) await eventually(async () => (await now()).body.estado !== 'preparando', 'the site')
  return (await now()).body.estado
}

/** Waits until no job of the node and no mail is queued or running. */
export async function idle(panel: Panel): Promise<void> {
  const jobs =
    "select count(*) from jobs where node = 'nodo1' and state in ('pendiente', 'en_curso') and next_at <= ?"
  const mails = "select count(*) from mails where state in ('en_cola', 'enviando') and next_at <= ?"
  const waiting = () => count(panel, jobs, Date.now()) + count(panel, mails, Date.now())
  await eventually(async () => waiting() === 0, 'the end of what was queued')
}

/** Status and code of an answer, as tables compare them. */
export const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body?.codigo]

/** Every client as the API tells it, once no work is left that would change it, for "nothing changed". */
export async function snapshot(panel: Panel, bearer: string): Promise<string> {
  await idle(panel)
  const paths = ['/clientes', '/sitios', '/planes', '/zonas', '/tokens', '/personas']
  const all = await Promise.all(paths.map((path) => panel.api('GET', `${path}?limite=200`, { bearer })))
  // Neither is a client's doing: a token's last use, and what resolvers told meanwhile.
  const strip = (key: string, value: Json) => (/^(ultimo_uso|delegacion)$/.test(key) ? undefined : value)
  return JSON.stringify(
    all.map(({ body }) => body),
    strip,
  )
}
