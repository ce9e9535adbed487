import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { textOf, visitor } from '../applications/wordpress.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'
import { hestiaArchive, type RawEntry, rawHeader, rawTar } from './archives.ts'

setDefaultTimeout(240_000)

let panel: Panel
let token: string
let directory: string
const outside = join(tmpdir(), `fuera-${process.pid}`)

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'importaciones-'))
  panel = await Panel.start({
    env: { ...ROOMY, PANEL_MARIADB_PORT: String(await freePort()), PANEL_IMPORTACIONES: directory },
  })
  token = await newToken(panel, await firstAdmin(panel))
  await newCustomer(panel, token, 'ana')
}, 120_000)
afterAll(async () => {
  await panel?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const api = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
const listed = async (path: string) => (await api('GET', path)).body.datos as Json[]
const preview = (ruta: string) =>
  api('POST', '/importaciones?simular=si', { cliente: 'ana', origen: 'hestia', ruta })

const PAGE: RawEntry = { path: 'public_html/index.html', content: 'Hola' }
/** What a site's own archive holds, beside a page. */
const HOSTILE: Record<string, RawEntry[]> = {
  'dispositivo.es': [{ path: 'public_html/null', type: '3' }],
  'bloque.es': [{ path: 'public_html/disco', type: '4' }],
  'tuberia.es': [{ path: 'public_html/espera', type: '6' }],
  'duro.es': [{ path: 'public_html/clave', type: '1', link: '/etc/passwd' }],
  'durorelativo.es': [{ path: 'public_html/clave', type: '1', link: `${'../'.repeat(12)}etc/passwd` }],
  'arriba.es': [{ path: `public_html/${'../'.repeat(12)}${outside.slice(1)}`, content: 'x' }],
  'porenlace.es': [
    { path: 'public_html/fuera', type: '2', link: tmpdir() },
    { path: `public_html/fuera/fuera-${process.pid}`, content: 'x' },
  ],
}

test('devices, pipes, links and paths that lead outside end their own site alone', async () => {
  const hostile = Object.entries(HOSTILE).map(([domain, entries]) => [
    domain,
    { tar: rawTar([PAGE, ...entries]) },
  ])
  hestiaArchive(join(directory, 'hostil.tar'), {
    sites: {
      ...Object.fromEntries(hostile),
      // Its own file a second time, and a path from the root, of which nothing is taken.
      'buena.es': {
        tar: rawTar([
          PAGE,
          { path: 'public_html/otra.html', type: '1', link: 'public_html/index.html' },
          { path: outside, content: 'x' },
        ]),
      },
    },
  })
  const asked = await api('POST', '/importaciones', { cliente: 'ana', origen: 'hestia', ruta: 'hostil.tar' })
  const end = await workEnded(api, asked.body.tarea.id, 180_000)
  expect([end.estado, end.resultado?.fallidos.length]).toEqual(['hecha', Object.keys(HOSTILE).length])
  expect(end.resultado.hechos).toEqual([{ tipo: 'sitio', nombre: 'buena.es' }])
  const failed = end.resultado.fallidos.map(({ nombre, codigo }: Json) => `${nombre} ${codigo}`).sort()
  expect(failed).toEqual(
    Object.keys(HOSTILE)
      .map((domain) => `${domain} archivo_peligroso`)
      .sort(),
  )
  expect(existsSync(outside)).toBe(false)
  expect(textOf(await visitor(panel, 'buena.es')('/otra.html'))).toBe('Hola')
  const gone = async () => (await listed('/sitios?cliente=ana')).length === 1
  await eventually(gone, 'the removal of what failed', 60_000)
})

describe('an archive that would take all memory or time is refused by a preview, and the panel goes on answering', () => {
  const CONF: RawEntry = { path: 'web/a.es/hestia/web.conf', content: "DOMAIN='a.es' ALIAS=''\n" }
  const many = (count: number, entry: (at: number) => RawEntry) =>
    rawTar(Array.from({ length: count }, (_, at) => entry(at)))
  const conf = (content: string) => rawTar([{ ...CONF, content }, { path: 'web/a.es/domain_data.tar' }])
  const letters = 'x'.repeat(180)

  test.each<[string, () => Uint8Array, number]>([
    [
      'hundreds of thousands of members, packed to little',
      () => {
        const one = rawTar([{ path: `web/${letters}` }]).subarray(0, -1_024)
        return Bun.zstdCompressSync(Buffer.concat(Array(280_000).fill(one)))
      },
      422,
    ],
    ['a small file that unpacks to a disk full', () => bomb(), 422],
    [
      'names that fill the memory',
      () => many(4_500, (at) => ({ path: `${at}/${letters.repeat(21)}/x` })),
      422,
    ],
    ['a folder in a folder, thousands deep', () => rawTar([{ path: `${'d/'.repeat(5_000)}x` }]), 422],
    [
      'thousands of small files to be read',
      () => many(5_100, (at) => ({ ...CONF, path: `web/${at}/hestia/web.conf` })),
      422,
    ],
    ['a file to be read that is large', () => conf(' '.repeat(2_000_000)), 422],
    ['thousands of sites', () => conf("DOMAIN='a.es'\n".repeat(900)), 422],
    ['thousands of aliases', () => conf(`DOMAIN='a.es' ALIAS='${'a.es,'.repeat(3_000)}'\n`), 422],
    // Each is looked through once; found out by the square of its length, it would take days.
    ['a word of a million letters', () => conf('A'.repeat(1_000_000)), 422],
    [
      'a task of a million blanks',
      () =>
        rawTar([
          {
            path: 'cron/cron.conf',
            content: `MIN='1' HOUR='1' DAY='1' MONTH='1' WDAY='1' CMD='php${' '.repeat(900_000)}x'\n`,
          },
          { ...CONF },
        ]),
      200,
    ],
    [
      'thousands of mail accounts',
      () => rawTar([{ path: 'mail/a.es/hestia/a.es.conf', content: "ACCOUNT='a'\n".repeat(80_000) }]),
      200,
    ],
    ['as many sites and zones as are taken', () => largest(), 200],
  ])('%s', async (_, archive, status) => {
    writeFileSync(join(directory, 'mala.tar'), archive())
    const answer = await preview('mala.tar')
    expect(answer.status).toBe(status)
    if (status === 422)
      expect(['archivo_peligroso', 'importacion_no_reconocida']).toContain(answer.body.codigo)
    else expect(answer.body.deja.length).toBeLessThanOrEqual(500)
  })

  function largest(): Uint8Array {
    const lines = Array.from({ length: 400 }, (_, at) => `n${at} IN A 203.0.113.9\n`).join('')
    const domains = Array.from({ length: 500 }, (_, at) => `grande${at}.es`)
    return rawTar(
      domains.flatMap((domain) => [
        { path: `web/${domain}/hestia/web.conf`, content: `DOMAIN='${domain}' ALIAS='www.${domain}'\n` },
        { path: `web/${domain}/domain_data.tar` },
        { path: `dns/${domain}/conf/${domain}.db`, content: lines },
      ]),
    )
  }

  /** As much of nothing behind one header. */
  function bomb(): Uint8Array {
    const size = 600 * 1_048_576
    const { stdout, exitCode } = Bun.spawnSync([
      'sh',
      '-c',
      `{ printf '%s' "$1" | base64 -d; head -c ${size} /dev/zero; } | zstd -q -1`,
      'bomb',
      rawHeader({ path: 'web/a.es/domain_data.tar', size }).toString('base64'),
    ])
    expect(exitCode).toBe(0)
    return stdout
  }
})
