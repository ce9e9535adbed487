import { newClient, newCustomer, ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import type { Actor } from './fuzz.ts'

/** A panel to be thrown away, with everybody who may ask it for something. */
export async function world(): Promise<{ panel: Panel; actors: Actor[] }> {
  const panel = await Panel.start({ env: ROOMY })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const ended = await newToken(panel, admin, 'terminado')
  const { datos } = (await panel.api('GET', '/tokens?buscar=terminado', { bearer: token })).body
  await panel.api('DELETE', `/tokens/${datos[0].id}`, { bearer: token })
  await newClient(panel, token, 'acme')
  const [own, other] = [await newCustomer(panel, token, 'propio'), await newCustomer(panel, token, 'otro')]
  const { sesion } = (
    await panel.api('POST', '/clientes/propio/suplantar', { bearer: admin.bearer, body: { motivo: 'ayuda' } })
  ).body
  await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'propio', domain: 'ejemplo.es' } })
  return {
    panel,
    actors: [
      { name: 'nobody', bearer: null },
      { name: 'a token', bearer: token },
      { name: 'an admin', bearer: admin.bearer },
      { name: 'the customer', bearer: own.bearer },
      { name: 'another customer', bearer: other.bearer },
      { name: 'an impersonating admin', bearer: sesion },
      { name: 'a revoked token', bearer: ended },
    ],
  }
}
