import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Published, serveRegistry } from '../../support/registry.ts'

const DEPLOY = resolve(import.meta.dir, '../../../deploy')
const PROCESSOR = process.arch === 'arm64' ? 'aarch64' : 'x86_64'

/** A registry at this address that has Bun's package, as npm gets it here, and no other. */
export function serveBun(hostname: string): ReturnType<typeof serveRegistry> {
  return serveRegistry([bunPackage()], hostname)
}

function bunPackage(): Published {
  const wanted = JSON.parse(readFileSync(join(DEPLOY, 'bun', PROCESSOR, 'package.json'), 'utf8'))
  const [name, version] = Object.entries<string>(wanted.dependencies)[0] ?? ['', '']
  const folder = mkdtempSync(join(tmpdir(), 'bun-package-'))
  try {
    const options = ['--prefer-offline', '--silent', '--pack-destination', folder]
    const packed = Bun.spawnSync(['npm', 'pack', ...options, `${name}@${version}`], {
      stdin: 'ignore',
      timeout: 300_000,
    })
    const [file] = readdirSync(folder)
    if (file === undefined) throw new Error(`npm did not bring Bun: ${packed.stderr.toString()}`)
    return { name, version, tarball: readFileSync(join(folder, file)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
