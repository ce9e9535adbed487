import { type Answer, enrol, type Json, type Panel, type SignedIn } from '../support/panel.ts'

/** Limits so high that a file of tests never meets them; those of the limits themselves set their own. */
export const ROOMY = {
  PANEL_LIMITE_ACCESO: '100000',
  PANEL_LIMITE_ESCRITURAS: '100000',
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

/** A client with a pending login; answers the activation link's secret, once it was mailed. */
export async function newLogin(
  panel: Panel,
  bearer: string,
  cliente: string,
  correo = `${cliente}@cliente.es`,
): Promise<string> {
  await newClient(panel, bearer, cliente)
  const made = await panel.api('POST', `/clientes/${cliente}/acceso`, { bearer, body: { correo } })
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
  const invited = await panel.api('POST', '/personas', { bearer: admin.bearer, body: { correo } })
  if (invited.status !== 201) throw new Error(`not invited: ${JSON.stringify(invited.body)}`)
  const mail = await panel.mailTo(correo)
  return { ...(await enrol(panel, mail.link ?? '', correo)), id: invited.body.id }
}

/** Status and code of an answer, as tables compare them. */
export const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body?.codigo]

/** Every client as the API tells it, for "nothing changed". */
export async function snapshot(panel: Panel, bearer: string): Promise<string> {
  const paths = ['/clientes', '/sitios', '/planes', '/zonas', '/tokens', '/personas']
  const all = await Promise.all(paths.map((path) => panel.api('GET', `${path}?limite=200`, { bearer })))
  const strip = (key: string, value: Json) => (key === 'ultimo_uso' ? undefined : value)
  return JSON.stringify(
    all.map(({ body }) => body),
    strip,
  )
}
