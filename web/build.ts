import { mkdir, writeFile } from 'node:fs/promises'

await mkdir('web/dist', { recursive: true })
await writeFile(
  'web/dist/index.html',
  '<!doctype html><html lang="es"><title>Panel</title><p>Panel</p></html>\n',
)
