import { sql } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'

/**
 * `/salud`: 200 while the database can be read, the disk has room and this node's services run, otherwise 503 with only
 * the names of what is down. Anyone may ask it: it tells what is known and looks for nothing else.
 */
export async function health(services: Services): Promise<Response> {
  const down: string[] = []
  await services.db.read.run(sql`select count(*) from migrations`).catch(() => down.push('base_de_datos'))
  if (services.driver?.exhausted()) down.push('disco')
  down.push(...(services.driver?.fallen() ?? []))
  const body = down.length === 0 ? { estado: 'ok' } : { estado: 'con_fallos', caidos: down }
  return new Response(JSON.stringify(body), {
    status: down.length === 0 ? 200 : 503,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}
