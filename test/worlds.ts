import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SPACES = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child', '--mount-proc']
const SCRIPT = join(import.meta.dir, 'world.sh')

/** Users are numbered by ports, and the kernel counts what they use over all worlds: each world has ports of its own. */
const FIRST_PORT = 10_000
const PORTS = 550
const WORLDS = 40
let made = 0

export type World = { argv: string[]; env: Record<string, string>; end(): void }

/** How to run a command so that it shares other files, processors and the kernel's control groups with others, and no more. */
export function worldFor(argv: string[]): World {
  const changes = mkdtempSync(join(tmpdir(), 'panel-world-'))
  const first = FIRST_PORT + (made++ % WORLDS) * PORTS
  return {
    argv: ['unshare', ...SPACES, 'sh', SCRIPT, changes, ...argv],
    env: { PANEL_TEST_PORTS: `${first}-${first + PORTS}` },
    end: () => rmSync(changes, { recursive: true, force: true }),
  }
}

/** Why nothing can be run so here, or null: it takes root, and a kernel that lets root do it. */
export function noWorlds(): string | null {
  if (process.getuid?.() !== 0) return 'only root can'
  const world = worldFor(['true'])
  const { success, stderr } = Bun.spawnSync(world.argv, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  world.end()
  return success ? null : stderr.toString().trim()
}
