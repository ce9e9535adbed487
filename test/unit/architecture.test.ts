import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { openApi } from '../../lib/endpoint/openapi/document.ts'

const ROOT = resolve(import.meta.dir, '../..')

/** What each folder may import from. `web` takes types only. */
const MAY: Record<string, string[]> = {
  schema: ['schema'],
  lib: ['schema', 'lib'],
  handlers: ['schema', 'lib', 'handlers'],
  deploy: ['schema', 'lib', 'handlers', 'deploy'],
}

type Import = { file: string; target: string; types: boolean }

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name))
}

const source = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** A file's text without its comments: the rules are about what runs. */
const code = (file: string) => source(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')

function importsOf(file: string): Import[] {
  const found = [
    ...code(file).matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|(typeof\s+)?import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    ),
  ]
  return found.map(([, types, named, typeOf, dynamic, bare]) => ({
    file,
    target: named ?? dynamic ?? bare ?? '',
    types: (types ?? typeOf) !== undefined,
  }))
}

/** The top-level folder that a relative import reaches; null for a package. */
function folderOf({ file, target }: Import): string | null {
  if (!target.startsWith('.') && !isAbsolute(target)) return null
  return relative(ROOT, resolve(ROOT, file, '..', target)).split('/')[0] ?? ''
}

const packages = (folder: string) =>
  filesOf(folder)
    .flatMap(importsOf)
    .filter((one) => folderOf(one) === null)

describe('imports', () => {
  test('of this test are found, so that the rules below can fail', () => {
    const own = importsOf('test/unit/architecture.test.ts')
    expect(own.map(({ target }) => target)).toContain('../../lib/endpoint/openapi/document.ts')
    expect(own.find(({ target }) => target === '../../lib/endpoint/handler.ts')?.types).toBe(true)
    expect(own.map(folderOf)).toContain('handlers')
  })

  test.each(Object.keys(MAY))('%s reaches only what lies below it', (folder) => {
    const files = filesOf(folder)
    expect(files.length).toBeGreaterThan(3)
    const wrong = files.flatMap(importsOf).filter((one) => {
      const target = folderOf(one)
      return target !== null && !MAY[folder]?.includes(target)
    })
    // The version is written in package.json alone.
    expect(wrong.filter(({ file }) => file !== 'deploy/http/version.ts')).toEqual([])
  })

  test('the interface takes nothing but types from the rest, pure rules and the lists of states', () => {
    const wrong = filesOf('web')
      .filter((file) => !/^web\/build\.ts$/.test(file))
      .flatMap(importsOf)
      .filter((one) => {
        const target = folderOf(one)
        return (
          target !== null &&
          target !== 'web' &&
          !one.types &&
          !/\/lib\/dns\/|\/sign-in\/own-names\.ts$|\/schema\/states\.ts$/.test(one.target)
        )
      })
    expect(wrong).toEqual([])
  })

  test.each(['lib', 'handlers', 'schema'])('%s runs in a function host: no node or Bun module', (folder) => {
    const wrong = packages(folder).filter(({ target }) =>
      /^(node:|bun(:|$)|(fs|path|crypto|os|net|tls|child_process)(\/|$))/.test(target),
    )
    expect(wrong).toEqual([])
  })

  test.each(['lib', 'handlers'])('%s reads no environment and asks no platform', (folder) => {
    const wrong = filesOf(folder).filter((file) =>
      /\bBun\.|\bprocess\.|\bDeno\.|\b__dirname\b|import\.meta\.dir/.test(code(file)),
    )
    expect(wrong).toEqual([])
  })

  test.each(['lib', 'handlers'])('%s tells the time by ctx.now() alone', (folder) => {
    const wrong = filesOf(folder).filter((file) => /\bnew Date\(\)|\bDate\.now\(\)/.test(code(file)))
    // These measure durations: a wait for a worker, a network's deadline.
    const durations = [
      'lib/work/worker.ts',
      'lib/resolver/doh.ts',
      'lib/providers/http.ts',
      'lib/mirror/engine.ts',
    ]
    expect(wrong.filter((file) => !durations.includes(file))).toEqual([])
  })

  test('only deploy/config.ts and the entries that hand it over read the environment', () => {
    const readers = filesOf('deploy').filter((file) => /process\.env/.test(code(file)))
    const entries = /^deploy\/(node\/(commands\/|panel\.ts)|function\/)/
    expect(readers.filter((file) => !entries.test(file))).toEqual([])
  })

  test('only the router builds Elysia routes', () => {
    const users = ['lib', 'handlers', 'schema', 'deploy']
      .flatMap(packages)
      .filter(({ target }) => target === 'elysia')
    const files = [...new Set(users.map(({ file }) => file))].sort()
    expect(files).toEqual(['deploy/http/router.ts', 'deploy/node/scheduler.ts'])
  })
})

describe('time in queues', () => {
  const MOMENT =
    '(?:nextAt|nextCheckAt|nextLookAt|nextSlotAt|certificateNextAt|leaseUntil|pausedUntil|next_at|next_check_at|next_look_at|next_slot_at|certificate_next_at|lease_until|paused_until|leases\\.until|held\\.until)'
  /** A moment beside a comparison: drizzle's, SQL's or the language's own. */
  const COMPARED = new RegExp(
    [
      `\\b(?:lte?|gte?|between)\\(\\s*[\\w.]*\\b${MOMENT}\\b`,
      `\\b${MOMENT}\\}?(?:\\??\\.getTime\\(\\))?\\s*[<>]=?`,
      `(?<!=)[<>]=?\\s*(?:\\$\\{)?(?:\\w+\\??\\.)*${MOMENT}\\b`,
    ].join('|'),
    's',
  )

  test.each([
    'lte(mirrors.nextAt, now)',
    'gt(\n  leases.until, now)',
    'sql`other.next_at <= now`',
    'sql`$' + '{jobs.leaseUntil} > 3`',
    'if (now < state.nextAt) return',
    'row.pausedUntil.getTime() > ms',
  ])('%p is seen to be a comparison, so that the rule below can fail', (text) => {
    expect(COMPARED.test(text)).toBe(true)
  })

  /** Named with their reason; this list may only become shorter. */
  const EXCEPTIONS: string[] = []

  test('whether a time has come or a lease is over is decided in lib/work alone', () => {
    const files = ['lib', 'handlers', 'deploy'].flatMap(filesOf)
    const wrong = files.filter((file) => !file.startsWith('lib/work/') && COMPARED.test(code(file)))
    expect(wrong).toEqual(EXCEPTIONS)
  })
})

describe('handlers', () => {
  const document = openApi(handlers, { origin: 'https://panel.es', version: '0', fullPath }) as {
    components: { schemas: Record<string, unknown> }
    paths: Record<
      string,
      Record<
        string,
        {
          operationId: string
          tags: string[]
          security?: Record<string, string[]>[]
          summary: string
          description: string
          responses: Record<string, unknown>
          parameters: { in: string; name: string }[]
        }
      >
    >
  }
  const described = (handler: Handler) =>
    document.paths[fullPath(handler).replace(/:(\w+)/g, '{$1}')]?.[handler.method.toLowerCase()]

  test('every module that declares one is in the explicit list', async () => {
    const listed = new Set(handlers)
    const missing: string[] = []
    for (const file of filesOf('handlers').filter((name) => !/(^|\/)index\.ts$/.test(name))) {
      const module: { default?: unknown } = await import(join(ROOT, file))
      const declared = module.default as Handler | undefined // Only handlers are exported so.
      if (declared && 'method' in declared && !listed.has(declared)) missing.push(file)
    }
    expect(missing).toEqual([])
  })

  test('no two have the same method and path', () => {
    const names = handlers.map((handler) => `${handler.method} ${fullPath(handler).replace(/:\w+/g, ':')}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('each has an operationId of its own that can name a function', () => {
    const ids = handlers.map((handler) => described(handler)?.operationId ?? '')
    expect(ids.filter((id) => !/^(get|post|put|patch|delete)([A-Z][a-z0-9]*)+$/.test(id))).toEqual([])
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    // The names of generated clients do not depend on the handlers' order.
    expect(ids).toEqual(expect.arrayContaining(['postZonas', 'postCronZonas', 'putAltasReferencia']))
  })

  test('the scheduled ones have a security scheme and a tag of their own', () => {
    for (const handler of handlers) {
      const { security, tags } = described(handler) ?? {}
      const cron = handler.access.kind === 'cron'
      expect(tags?.includes('cron')).toBe(cron)
      if (cron) expect(security).toEqual([{ cron: [] }])
      else expect(JSON.stringify(security ?? [])).not.toContain('cron')
    }
  })

  test('each declares who may call it', () => {
    for (const handler of handlers) {
      expect(['bearer', 'open', 'cron']).toContain(handler.access.kind)
      if (handler.access.kind === 'bearer') {
        const { token, admin, client } = handler.access
        expect(token || admin || client).toBe(true)
        // What a token may do, an admin may do.
        expect(token && !admin).toBe(false)
      }
    }
  })

  test('each is in the OpenAPI document, with a summary, its answers and its errors', () => {
    for (const handler of handlers) {
      const operation = described(handler)
      expect(operation?.summary.length).toBeGreaterThan(3)
      expect(operation?.description).not.toBe('')
      const statuses = Object.keys(operation?.responses ?? {})
      for (const status of handler.statuses ?? [200]) expect(statuses).toContain(String(status))
      for (const status of ['422', '429', '500', '503']) expect(statuses).toContain(status)
    }
  })

  test('an operation describes each parameter of its path', () => {
    for (const handler of handlers) {
      const names = [...handler.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
      const { parameters } = described(handler) ?? {}
      expect(parameters?.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(names)
    }
  })

  /** Specification 5.2.2 and docs/api.md, "Bearers": what creates or moves a credential, or opens a session. */
  const PERSON_ONLY = [
    'PUT /clientes/:cliente/correo',
    'DELETE /clientes/:cliente/acceso/segundo-factor',
    'POST /clientes/:cliente/suplantar',
    'PUT /clientes/:cliente/cuentas-sftp/:cuenta/llaves',
    'POST /bases/:base/cuentas',
    'POST /bases/:base/sesion',
    'POST /sitios/:domain/aplicacion/sesion',
    'POST /clientes/:cliente/cuentas-sftp/:cuenta/contrasena',
    'POST /sitios/:domain/protegidas/:ruta/contrasena',
    'PUT /copias/destino',
    'GET /correo/textos',
    'PUT /correo/textos/:clase',
    'DELETE /correo/textos/:clase',
    'PUT /dns/proveedor',
    'POST /avisos',
    'POST /avisos/:id/secreto',
    'POST /tokens',
    'POST /personas',
    'DELETE /personas/:id/segundo-factor',
    'GET /yo',
    'PATCH /yo',
    'PUT /yo/contrasena',
    'POST /yo/segundo-factor',
    'POST /yo/segundo-factor/confirmar',
    'POST /yo/codigos-recuperacion',
    'GET /yo/llaves-de-acceso',
    'POST /yo/llaves-de-acceso/reto',
    'POST /yo/llaves-de-acceso',
    'DELETE /yo/llaves-de-acceso/:id',
    'GET /yo/sesiones',
    'DELETE /yo/sesiones/:id',
  ]

  test('a token may do everything that is not kept for persons', () => {
    const refused = handlers.filter(({ access }) => access.kind === 'bearer' && !access.token)
    expect(refused.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...PERSON_ONLY].sort())
  })

  /** Text of a part of the document with the components that it refers to in their places. */
  const expanded = (part: unknown): string =>
    JSON.stringify(part).replace(/\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g, (_, name: string) =>
      expanded(document.components.schemas[name]),
    )

  test('an operation that answers a secret takes no Idempotency-Key', () => {
    const secretive = /"(token|sesion|paso_token|codigos_recuperacion)":\{"type"/
    const answering = handlers.filter(
      (handler) => handler.method !== 'GET' && secretive.test(expanded(described(handler)?.responses)),
    )
    expect(answering.length).toBeGreaterThan(8)
    expect(answering.filter(({ secret }) => !secret).map(({ path }) => path)).toEqual([])
  })

  test('none takes the password or factor of somebody else', () => {
    const own =
      /^(PUT \/clientes\/:cliente\/correo|DELETE .*segundo-factor|.* \/yo\/.*|PUT \/copias\/destino|.* \/(entrar|enlace\/gastar|segundo-factor.*))$/
    for (const handler of handlers) {
      if (own.test(`${handler.method} ${handler.path}`)) continue
      const entries = Object.keys((handler.body as { entries?: object } | undefined)?.entries ?? {})
      expect(entries.filter((name) => /contrasena|password|totp|factor|secreto/.test(name))).toEqual([])
    }
  })
})

describe('files', () => {
  const all = ['lib', 'handlers', 'schema', 'deploy'].flatMap(filesOf)
  test('none is longer than a person reads at once', () => {
    const long = all.filter((file) => source(file).split('\n').length > 360)
    expect(long).toEqual([])
  })
  test('a handler fits a screen or two', () => {
    const long = filesOf('handlers').filter(
      (file) => !/index\.ts$/.test(file) && source(file).split('\n').length > 110,
    )
    expect(long).toEqual([])
  })
  test('none has an `any`, a skipped test or a commented shell', () => {
    const wrong = all.filter((file) => /:\s*any\b|\bas any\b|<any>/.test(code(file)))
    expect(wrong).toEqual([])
  })
  test('none runs a shell', () => {
    const wrong = all.filter((file) =>
      /\bexecSync?\(\s*[`']|shell:\s*true|Bun\.\$|'(?:sh|bash)',\s*'-c'/.test(code(file)),
    )
    expect(wrong).toEqual([])
  })
})
