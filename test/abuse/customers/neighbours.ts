import { afterEach, beforeEach, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../../api/people.ts'
import { sql } from '../../bases/sql.ts'
import { addClient, createBase, startBases } from '../../bases/world.ts'
import { filesBelow, giveFile } from '../../support/owned.ts'
import type { Answer } from '../../support/panel.ts'
import { enrol } from '../../support/people.ts'
import { freePort } from '../../support/ports.ts'

/** What only Bob and the panel know. */
export const SECRET = 'canario-de-bob'

/** A panel with the customers Ana, who is signed in, and Bob: each has a site, a database and an account for SFTP. */
export async function startNeighbours() {
  const sftpPort = await freePort()
  const world = await startBases({ ...ROOMY, PANEL_SFTP_PORT: String(sftpPort) })
  const root = await addClient(world, 'ana')
  const his = await addClient(world, 'bob')
  writeFileSync(join(his, 'secreto.html'), SECRET, { mode: 0o644 })
  for (const name of ['ana', 'bob']) {
    const { usuario } = await createBase(world, name, 'x')
    const rows = `create table t (a varchar(20)); insert into t values ('${SECRET}')`
    expect((await sql(world, usuario, rows, { database: `${name}_x` })).error).toBe('')
    await world.done('POST', `/clientes/${name}/cuentas-sftp`, { cuenta: name })
  }
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  const ana = await enrol(world.panel, link ?? '', 'ana@cliente.es')
  const as =
    (bearer: string) =>
    (method: string, path: string, body?: unknown): Promise<Answer> =>
      world.panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
  return {
    ...{ ...world, ana, sftpPort, as, byAna: as(ana.bearer) },
    /** The folders that are served of Ana's site and of Bob's. */
    ...{ root, his },
    give: (name: string, text: string | Uint8Array) => giveFile(root, name, text),
    put(ruta: string, raw: string | Uint8Array): Promise<Answer> {
      const path = `/sitios/ana.es/archivos/contenido?ruta=${encodeURIComponent(ruta)}`
      return world.panel.api('PUT', path, { bearer: ana.bearer, raw })
    },
  }
}
export type Neighbours = Awaited<ReturnType<typeof startNeighbours>>

/** All that is Bob's: files with owners, modes and content, rows, accounts, settings. */
async function ofBob(world: Neighbours): Promise<string> {
  const words = 'select * from bob_x.t; show tables from bob_x; show grants for current_user'
  const rows = await sql(world, null, words)
  const shown = await Promise.all(
    ['/clientes/bob/cuentas-sftp', '/bases/bob_x', '/sitios/bob.es/programadas'].map((path) =>
      world.call('GET', path),
    ),
  )
  const told = shown.map(({ body }) => JSON.stringify(body).replace(/"(?:medido|bytes)":[^,]*/g, ''))
  return `${filesBelow(world.his)}${rows.out}${rows.error}${told}`
}

/** Fails each test of the file that changes anything of Bob's. */
export function leavesBobAlone(world: () => Neighbours): void {
  let untouched: string
  beforeEach(async () => {
    untouched = await ofBob(world())
  })
  afterEach(async () => {
    expect(await ofBob(world())).toBe(untouched)
  })
}
