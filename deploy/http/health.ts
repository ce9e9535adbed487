import { sql } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'

/**
 * `/salud`: 200 while the database can be read and the disk has room, otherwise 503 with only the names of what is
 * down.
 */
export async function health(services: Services): Promise<Response> {
  const down: string[] = []
  await services.db.read.run(sql`select count(*) from migrations`).catch(() => down.push('base_de_datos'))
  if (services.driver?.exhausted()) down.push('disco')
  const body = down.length === 0 ? { estado: 'ok' } : { estado: 'con_fallos', caidos: down }
  return new Response(JSON.stringify(body), {
    status: down.length === 0 ? 200 : 503,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}
