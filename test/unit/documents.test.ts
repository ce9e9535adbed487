import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../..')
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/scale.md', 'docs/operating.md'],
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

test('the README’s picture is small', () => {
  expect(statSync(join(ROOT, 'docs/panel.png')).size).toBeLessThan(150 * 1024)
})
