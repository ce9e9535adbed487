import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Asset, type Assets, isImmutable, typeOfFile } from '../../http/assets.ts'

/** The built interface and the files of the API documentation, read once into memory. */
export function loadAssets(): Assets {
  const root = resolve(import.meta.dir, '../../..')
  const files = new Map<string, Asset>()
  const dist = join(root, 'web/dist')
  if (existsSync(dist)) addFolder(files, dist, '')
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const path = join(root, 'node_modules/swagger-ui-dist', name)
    if (existsSync(path)) files.set(`/docs/${name}`, read(path, false))
  }
  return { files, index: '/index.html' }
}

function addFolder(files: Map<string, Asset>, folder: string, prefix: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(files, path, `${prefix}/${entry.name}`)
    else if (!/\.(br|gz|map)$/.test(entry.name)) {
      files.set(`${prefix}/${entry.name}`, read(path, isImmutable(entry.name)))
    }
  }
}

function read(path: string, immutable: boolean): Asset {
  const compressed = (ending: string) =>
    existsSync(path + ending) ? new Uint8Array(readFileSync(path + ending)) : null
  const [br, gzip] = [compressed('.br'), compressed('.gz')]
  return {
    type: typeOfFile(path),
    body: new Uint8Array(readFileSync(path)),
    immutable,
    ...(br ? { br } : {}),
    ...(gzip ? { gzip } : {}),
  }
}
