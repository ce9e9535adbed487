import { newClient, newCustomer, ROOMY } from '../api/people.ts'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import type { World } from './fuzz.ts'

const CRON_SECRET = 'el-secreto-del-planificador'

/** A panel to be thrown away, with everybody who may ask it for something. */
export async function world(): Promise<World> {
  const panel = await Panel.start({ env: { ...ROOMY, PANEL_CRON_SECRET: CRON_SECRET } })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const ended = await newToken(panel, admin, 'terminado')
  const { datos } = (await panel.api('GET', '/tokens?buscar=terminado', { bearer: token })).body
  await panel.api('DELETE', `/tokens/${datos[0].id}`, { bearer: token })
  const expired = await newToken(panel, admin, 'caducado')
  plant(panel, "update tokens set expires_on = '2020-01-01' where name = 'caducado'")
  await newClient(panel, token, 'acme')
  const [own, other] = [await newCustomer(panel, token, 'propio'), await newCustomer(panel, token, 'otro')]
  const late = await newCustomer(panel, token, 'tarde')
  plant(
    panel,
    'update session_bearers set expires_at = 1 where session_id in (select id from sessions where person_id in (select id from persons where email = ?))',
    late.email,
  )
  const { sesion } = (
    await panel.api('POST', '/clientes/propio/suplantar', { bearer: admin.bearer, body: { motivo: 'ayuda' } })
  ).body
  await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'propio', domain: 'ejemplo.es' } })
  const actors = [
    { name: 'nobody', bearer: null },
    { name: 'a token', bearer: token },
    { name: 'an admin', bearer: admin.bearer },
    { name: 'the customer', bearer: own.bearer },
    { name: 'another customer', bearer: other.bearer },
    { name: 'an impersonating admin', bearer: sesion },
    { name: 'a revoked token', bearer: ended },
    { name: 'an expired token', bearer: expired },
    { name: 'an expired session', bearer: late.bearer },
    { name: 'the scheduler', bearer: CRON_SECRET },
  ]
  const bearers = actors.flatMap(({ bearer }) => bearer ?? [])
  return { panel, actors, secrets: [...bearers, ...[admin, own, other, late].flatMap(secretsOf)] }
}

const secretsOf = ({ password, totp, recovery, cookie }: SignedIn) => [
  password,
  totp,
  ...recovery,
  cookie.split('=')[1] ?? cookie,
]
