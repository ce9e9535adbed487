import { dlopen, FFIType } from 'bun:ffi'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const MIB = 1024 * 1024
/** EXT4_IOC_SHUTDOWN, and its mode that writes not even the journal out. */
const SHUTDOWN = 0x8004587d
const WITHOUT_JOURNAL = 2

/**
 * An ext4 of its own on a loop device whose blocks lie in a small tmpfs. Where that is full, what has been written
 * does not reach the disk, and the kernel tells so when it is synced; and the whole can be cut off at once, as a
 * disk is that has gone.
 */
export class FailingDisk {
  /** Where it is mounted. */
  readonly mount: string
  readonly #directory: string
  readonly #below: string

  constructor(options: { journal: boolean }) {
    this.#directory = mkdtempSync(join(tmpdir(), 'panel-disk-'))
    this.#below = join(this.#directory, 'below')
    this.mount = join(this.#directory, 'disk')
    mkdirSync(this.#below)
    mkdirSync(this.mount)
    run('mount', '-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', this.#below)
    const image = join(this.#below, 'image')
    writeFileSync(image, '')
    // Too small for the panel to keep room on: what it had written there before could not fail any more.
    truncateSync(image, 24 * MIB)
    // Whatever the file system needs for itself has its place from the first: only what files hold can fail.
    const own = [
      '-b',
      '4096',
      '-E',
      'lazy_itable_init=0,lazy_journal_init=0,nodiscard',
      '-N',
      '128',
      '-O',
      options.journal ? 'has_journal' : '^has_journal',
    ]
    run('mkfs.ext4', '-q', ...own, image)
    this.attach()
  }

  /** Mounts it, also after a cut. */
  attach(): void {
    run('mount', '-o', 'loop,errors=continue', join(this.#below, 'image'), this.mount)
    // A page at a time: of a longer write the loop device takes a part for the whole, and nobody learns of the loss.
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [device = ''] = mounts.map((line) => line.split(' ')).find(([, at]) => at === this.mount) ?? []
    writeFileSync(`/sys/block/${basename(device)}/queue/max_sectors_kb`, '4')
  }

  /** From now on, new blocks cannot be written. */
  exhaust(): void {
    const path = join(this.#below, 'filler')
    const block = Buffer.alloc(MIB / 4)
    const file = openSync(path, 'w')
    try {
      for (;;) writeFileSync(file, block)
    } catch {
      // Full.
    } finally {
      closeSync(file)
    }
  }

  /** Undoes `exhaust`. */
  relieve(): void {
    rmSync(join(this.#below, 'filler'), { force: true })
  }

  /** Drops what the kernel keeps of it in memory, as it does by itself when memory runs short. */
  forget(): void {
    const { symbols } = dlopen('libc.so.6', {
      posix_fadvise: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.i32], returns: FFIType.i32 },
    })
    for (const name of readdirSync(this.mount)) {
      if (name === 'lost+found') continue
      const file = openSync(join(this.mount, name), 'r')
      symbols.posix_fadvise(file, 0, 0, 4)
      closeSync(file)
    }
  }

  /** From now on, every call on every open file answers EIO; nothing that was not synced is there afterwards. */
  cut(): void {
    const { symbols } = dlopen('libc.so.6', {
      ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
    })
    const root = openSync(this.mount, 'r')
    const done = symbols.ioctl(root, SHUTDOWN, new Uint32Array([WITHOUT_JOURNAL]))
    closeSync(root)
    if (done !== 0) throw new Error('the file system cannot be cut off')
  }

  /** Unmounts it; what still has files of it open goes on with errors. */
  detach(): void {
    run('umount', '--lazy', this.mount)
  }

  remove(): void {
    this.relieve()
    for (const mount of [this.mount, this.#below]) Bun.spawnSync(['umount', '--lazy', mount])
    for (const mount of [this.mount, this.#below, this.#directory]) rmdirSync(mount)
  }
}

function run(...argv: string[]): void {
  // mkfs writes its zeros out, instead of leaving holes for them.
  const { exitCode, stderr } = Bun.spawnSync(argv, { env: { ...process.env, UNIX_IO_NOZEROOUT: '1' } })
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
}
