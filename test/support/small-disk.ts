import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MIB = 1_048_576

type Size = { mebibytes?: number; inodes?: number; at?: string }

/** A small file system of its own for a data directory, which can be filled to the last block or the last inode. */
export class SmallDisk {
  readonly mount: string
  readonly #directory: string
  #hog: Bun.Subprocess | null = null

  /** `at`: the directory that becomes it, in place of one of its own. */
  constructor(type: 'ext4' | 'tmpfs', { mebibytes = 96, inodes = 3000, at }: Size = {}) {
    this.#directory = mkdtempSync(join(tmpdir(), 'panel-disk-'))
    this.mount = at ?? join(this.#directory, 'disk')
    mkdirSync(this.mount, { recursive: true })
    if (type === 'tmpfs') {
      const options = `size=${mebibytes}m,nr_inodes=${inodes},mode=711`
      run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', this.mount)
    } else {
      const image = join(this.#directory, 'image')
      writeFileSync(image, '')
      truncateSync(image, mebibytes * MIB)
      // Nothing kept back for root: as on many a data disk.
      run('mkfs.ext4', '-q', '-b', '4096', '-m', '0', '-N', String(inodes), image)
      run('mount', '-o', 'loop', image, this.mount)
      rmdirSync(join(this.mount, 'lost+found'))
    }
    Bun.spawnSync(['chmod', '711', this.mount, this.#directory])
  }

  /** A panel's data directory on it, into which customers' programs may pass. */
  dataDir(): string {
    const path = join(this.mount, 'data')
    mkdirSync(path)
    chmodSync(path, 0o711)
    return path
  }

  /** Fills it but for so many bytes, or for so many inodes. */
  leave({ bytes, inodes }: { bytes?: number; inodes?: number }): void {
    if (bytes !== undefined) {
      this.fillOnce()
      const path = join(this.mount, 'relleno')
      truncateSync(path, statSync(path).size - bytes)
    }
    if (inodes === undefined) return
    this.fillInodes()
    const names = join(this.mount, 'nombres')
    for (const name of readdirSync(names).slice(0, inodes)) rmSync(join(names, name))
  }

  /** Fills it, also again, and goes on trying to write, as a customer's program would. */
  fill(): void {
    this.fillOnce()
    const path = join(this.mount, 'relleno')
    const loop =
      'const f = require("node:fs"); setInterval(() => { try { f.appendFileSync(process.argv[1], "x".repeat(4096)) } catch {} }, 2)'
    this.#hog ??= Bun.spawn([process.execPath, '-e', loop, path], { stdout: 'ignore', stderr: 'ignore' })
  }

  /** Ends what goes on trying to write. */
  async rest(): Promise<void> {
    this.#hog?.kill('SIGKILL')
    await this.#hog?.exited
    this.#hog = null
  }

  /** Takes every block that is left, to the last byte. */
  fillOnce(): void {
    const path = join(this.mount, 'relleno')
    for (const size of [MIB, 4096, 1]) {
      const file = openSync(path, 'a')
      try {
        for (;;) writeFileSync(file, Buffer.alloc(size, 1))
      } catch {
        // Full, for pieces of that size.
      } finally {
        closeSync(file)
      }
    }
  }

  /** Takes every inode that is left, also when it has been done before. */
  fillInodes(): void {
    mkdirSync(join(this.mount, 'nombres'), { recursive: true })
    for (;;) {
      try {
        writeFileSync(join(this.mount, 'nombres', crypto.randomUUID()), '')
      } catch {
        return
      }
    }
  }

  /** Undoes both. */
  async relieve(): Promise<void> {
    await this.rest()
    for (const name of ['relleno', 'nombres'])
      rmSync(join(this.mount, name), { recursive: true, force: true })
  }

  async remove(): Promise<void> {
    await this.relieve()
    run('umount', '--lazy', this.mount)
    rmdirSync(this.mount)
    rmSync(this.#directory, { recursive: true })
  }
}

function run(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
}
