import { plant } from '../api/store.ts'
import type { Panel } from '../support/panel.ts'

const CLIENTS = 10_000
const RECORDS = 1000

/** 10,000 clients beside those there are, and 1,000 records for the zone of the client `acme`. */
export async function fill(panel: Panel, bearer: string): Promise<void> {
  plant(
    panel,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CLIENTS})
     insert into clients (name, display_name, email, language, state, node, created_by, created_at, updated_at)
     select printf('c%05d', i), 'Empresa ' || i, 'hola@c' || i || '.example', 'es', 'activo', 'nodo1', 'token', ?1, ?1
     from n`,
    Date.now(),
  )
  const lines = Array.from({ length: RECORDS }, (_, at) => `host${at} 3600 IN A 192.0.2.${(at % 250) + 1}`)
  const { status, body } = await panel.api('POST', '/zonas/cliente-acme.es/importar', {
    bearer,
    raw: `$ORIGIN cliente-acme.es.\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/dns' },
  })
  if (status !== 200) throw new Error(`no zone: ${JSON.stringify(body)}`)
}
