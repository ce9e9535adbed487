import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'

const ROOT = resolve(import.meta.dir, '../..')
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/api.md', 'docs/scale.md', 'docs/operating.md'],
  ...['deploy/function/README.md', 'deploy/database/remote/README.md'],
]
const FOLDERS = /^(schema|lib|handlers|deploy|web|test|docs|\.ci)\/[\w./-]*$/

test.each(DOCUMENTS)('every file of the repository that %s names is there', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => join(dirname(document), path))
  const named = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => FOLDERS.test(path))
  expect([...linked, ...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  if (document === 'CONTRIBUTING.md') expect(named.length).toBeGreaterThan(40)
})

test('every part of docs/api.md that a comment names is there', () => {
  const parts = [...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, part]) => part,
  )
  const named = ['schema', 'lib', 'handlers', 'deploy', 'web', 'test'].flatMap((folder) =>
    [...new Glob('**/*.{ts,tsx}').scanSync(join(ROOT, folder))].flatMap((path) =>
      [...readFileSync(join(ROOT, folder, path), 'utf8').matchAll(/docs\/api\.md, "([^"]+)"/g)].map(
        ([, part]) => part,
      ),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((part) => !parts.includes(part))).toEqual([])
})

test('the README’s picture is small', () => {
  expect(statSync(join(ROOT, 'docs/panel.png')).size).toBeLessThan(150 * 1024)
})
