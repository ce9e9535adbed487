import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Panel } from '../support/panel.ts'
import { PANEL_PROGRAM } from '../support/program.ts'

setDefaultTimeout(60_000)

const ROOT = resolve(import.meta.dir, '../..')
let folder: string
let data: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panel-words-'))
  data = join(folder, 'data')
  mkdirSync(data)
  const panel = await Panel.start({ dataDir: data, env: { PANEL_NODE: '' } })
  panel.keepData = true
  await panel.stop()
  for (const copy of ['b1.db', 'b2.db']) expect(run('backup', copy).status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  const ran = Bun.spawnSync(['bun', PANEL_PROGRAM, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PANEL_CWD: folder,
      PANEL_DATA: data,
      PANEL_HOST: 'localhost',
    },
  })
  return { status: ran.exitCode, output: ran.stdout.toString(), error: ran.stderr.toString() }
}

/** Every file below the folder, by its bytes. */
function everything(): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, Bun.hash(readFileSync(path)).toString()]
    }),
  )
}

/** What the usage shows as forms: the lines that begin with two blanks, up to the explanation. */
const formsIn = (text: string) =>
  [...text.matchAll(/^ {2}(\S.*?) {2}/gm)].map(([, form = '']) => form).filter((form) => form !== '')

describe('an argument that the command does not have', () => {
  test.each([
    ['restore b1.db --misma-identida', '--misma-identida'],
    ['restore b1.db --misma-identidad=no', '--misma-identidad'],
    ['restore b1.db b2.db', 'b2.db'],
    ['restore b1.db --olvidar', '--olvidar'],
    ['claves rotar extra', 'extra'],
    ['claves rotar --olvida', '--olvida'],
    ['claves borrar', 'borrar'],
    ['admin invitar --correo q@q.es --rol x', '--rol'],
    ['admin invitar --correo q@q.es --correo r@r.es', '--correo'],
    ['admin invitar --correo --json', '--correo'],
    ['admin borrar --correo q@q.es', 'borrar'],
    ['doctor --nope', '--nope'],
    ['doctor nope', 'nope'],
    ['backup b3.db extra', 'extra'],
    ['cron uso correo', 'correo'],
    ['cron uso -x', '-x'],
    ['papelera lista extra', 'extra'],
    ['papelera --sitio x.es', '--sitio'],
    ['papelera purgar a b', 'b'],
    ['papelera purgar a --sitio x.es', '--sitio'],
    ['nodo renombrar uno dos', 'dos'],
    ['nodo otro', 'otro'],
    ['start --dejar-servicio', '--dejar-servicio'],
    ['start now', 'now'],
    ['nada', 'nada'],
  ])('is named above the usage with status 2, and nothing is done: %s', (line, named) => {
    const before = everything()
    const { status, output, error } = run(...line.split(' '))
    const [first = '', second = ''] = error.split('\n')
    expect([status, output, second.startsWith('usage: ')]).toEqual([2, '', true])
    expect(first).toContain(named)
    expect(everything()).toEqual(before)
  })

  test.each([
    ['restore', 'FILE'],
    ['papelera purgar', 'ID'],
    ['papelera restaurar', 'ID'],
    ['nodo renombrar', 'NAME'],
    ['admin invitar', '--correo'],
    ['claves', 'rotar'],
  ])('is told from one that is missing: %s', (line, missing) => {
    const { status, error } = run(...line.split(' '))
    expect([status, error.split('\n')[0]]).toEqual([2, expect.stringContaining(missing)])
    expect(error).toContain('is missing')
  })
})

test('a backup that is not there is called so, not answered with the usage', () => {
  const { status, error } = run('restore', 'nohay.db')
  expect([status, error]).toEqual([2, `${join(folder, 'nohay.db')}: no such file\n`])
})

test('help is the usage on the output with status 0, for all commands or for the one that is named', () => {
  const all = run('help')
  expect([all.status, all.error]).toEqual([0, ''])
  expect(run('--help')).toEqual(all)
  expect(formsIn(all.output)).toHaveLength(13)
  const before = everything()
  const one = run('restore', 'b1.db', '--help')
  expect([one.status, one.error, formsIn(one.output)]).toEqual([0, '', ['restore FILE [--misma-identidad]']])
  expect(everything()).toEqual(before)
  expect(run('nada', '--help').status).toBe(2)
})

test('the README’s table names the commands that the usage names, and no other', () => {
  const [, table = ''] =
    /\n\| Command[^\n]*\n\|[ -|]*\n((?:\|[^\n]*\n)+)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ??
    []
  const named = [...table.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, form]) => form)
  expect(named).toEqual(formsIn(run('help').output))
})
