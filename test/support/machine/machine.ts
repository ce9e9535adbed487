import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { waitUntil } from '../../../deploy/node/services/process.ts'

const QEMU = 'qemu-system-x86_64'
/** Of Debian's QEMU; it shows this machine's files to the other. */
const FILES = '/usr/lib/qemu/virtiofsd'
const ROOT = resolve(import.meta.dir, '../../..')
const KERNEL = join(ROOT, '.tools/kernel')
const MIB = 1024 * 1024

export type MachineDisk = { mebibytes: number; format: string[] }
export type Ran = { said: string; console: string }

/**
 * Boots an emulated machine with a kernel of Debian's, which has all that this one's may lack, runs a program of the
 * tests in it with Bun, and answers what that said and what the kernel did. It has this machine's files and changes
 * none; its disks, which each hold a new file system, are /dev/vda, /dev/vdb and so on.
 */
export async function runInMachine(
  program: string,
  { disks = [], deadlineMs }: { disks?: MachineDisk[]; deadlineMs: number },
): Promise<Ran> {
  if (Bun.which(QEMU) === null || !existsSync(KERNEL))
    throw new Error('QEMU or its kernel is missing: `sh test/run` brings them, on amd64 alone')
  const directory = mkdtempSync(join(tmpdir(), 'machine-'))
  const options = ['source=/', 'cache=always', 'sandbox=chroot', 'log_level=err'].flatMap((option) => [
    '-o',
    option,
  ])
  const files = Bun.spawn([FILES, `--socket-path=${join(directory, 'files.sock')}`, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    make('sh', join(import.meta.dir, 'pack.sh'), directory, KERNEL)
    disks.forEach(({ mebibytes, format }, at) => {
      makeDisk(join(directory, `disk${at}`), mebibytes, format)
    })
    writeFileSync(join(directory, 'said'), '')
    await waitUntil(() => existsSync(join(directory, 'files.sock')), { timeoutMs: 30_000 })
    const console = await boot(directory, program, { disks: disks.length, deadlineMs })
    return { said: readFileSync(join(directory, 'said'), 'utf8').replaceAll('\r\n', '\n'), console }
  } finally {
    files.kill()
    await files.exited
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs the machine to its end; answers what its kernel and QEMU have said. */
async function boot(
  directory: string,
  program: string,
  { disks, deadlineMs }: { disks: number; deadlineMs: number },
): Promise<string> {
  const words = [ROOT, process.execPath, program]
  const machine = Bun.spawn(
    [
      QEMU,
      // Emulated in full: /dev/kvm brings this machine's processor with it, and may open and yet run no kernel.
      ...['-accel', 'tcg,thread=multi', '-smp', '2', '-cpu', 'max', '-m', '3G', '-no-reboot'],
      ...['-object', 'memory-backend-memfd,id=memory,size=3G,share=on', '-numa', 'node,memdev=memory'],
      ...['-chardev', 'socket,id=files,path=files.sock'],
      ...['-device', 'vhost-user-fs-pci,chardev=files,tag=machine'],
      ...['-nodefaults', '-no-user-config', '-display', 'none', '-serial', 'stdio', '-serial', 'file:said'],
      ...[
        '-kernel',
        'vmlinuz',
        '-initrd',
        'files',
        '-append',
        `console=ttyS0 panic=-1 -- ${words.join(' ')}`,
      ],
      ...Array.from({ length: disks }, (_, at) => [
        '-drive',
        `file=disk${at},format=raw,if=virtio,cache=unsafe`,
      ]).flat(),
    ],
    {
      cwd: directory,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    },
  )
  const streams = [machine.stdout, machine.stderr].map((stream) => new Response(stream).text())
  const [said, complaints] = await Promise.all(streams)
  await machine.exited
  return `${complaints}${said}\n${QEMU}: ${machine.signalCode ?? machine.exitCode}`
}

function makeDisk(path: string, mebibytes: number, format: string[]): void {
  writeFileSync(path, '')
  truncateSync(path, mebibytes * MIB)
  make(...format, path)
}

function make(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
}
