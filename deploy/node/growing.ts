import { existsSync } from 'node:fs'
import type { Log } from '../../lib/endpoint/context.ts'
import { rootMessage } from '../../lib/text/root-message.ts'
import { canServeDatabases } from './databases/server.ts'
import { canServeNames } from './dns/names.ts'
import { NGINX, type NodeHands } from './driver.ts'
import { BWRAP, installedVersions } from './php/pools.ts'
import { SSHD } from './sftp/config.ts'

const LOOK_MS = 2_000

export type GrowingHands = NodeHands & {
  /** Has this called when a package was installed and its service began, before anything else is done with it. */
  onGrown(listener: () => Promise<void>): void
}

/**
 * A node's hands that are put together anew when a package is installed which was not there: what then runs is released
 * and found again, as at a start of the panel. Whoever holds them, or their driver, works with the new ones.
 */
export async function growingHands(build: () => Promise<NodeHands>, log: Log): Promise<GrowingHands> {
  let [changed, grown] = [() => {}, async () => {}]
  const packages = watchPackages(log, async () => {
    const next = await build()
    next.onChange(changed)
    hands.release()
    hands = next
    await next.start()
    await grown()
    changed()
  })
  let hands = await build()
  const own = {
    driver: live(() => hands.driver),
    start: () => hands.start().then(packages.watch),
    stop: () => packages.stop().then(() => hands.stop()),
    release() {
      void packages.stop()
      hands.release()
    },
    onChange(listener: typeof changed) {
      changed = listener
      hands.onChange(listener)
    },
    onGrown(listener: typeof grown) {
      grown = listener
    },
  }
  return live(() => ({ ...hands, ...own }))
}

/** Whoever holds it reads each property as it is by then. */
const live = <Whole extends object>(of: () => Whole): Whole =>
  new Proxy(of(), { get: (_, name) => Reflect.get(of(), name) })

/** Calls `grow` for packages that come, and again for those that it could not take up. */
function watchPackages(log: Log, grow: () => Promise<void>) {
  let known = installed()
  let growing = Promise.resolve()
  let timer: ReturnType<typeof setInterval> | null = null
  const look = () => {
    const found = installed()
    const more = found.filter((part) => !known.includes(part))
    known = found
    if (more.length === 0) return
    growing = growing.then(grow).catch((error) => {
      known = known.filter((part) => !more.includes(part))
      log('error', 'service not started', { service: more.join(' '), reason: rootMessage(error) })
    })
  }
  return {
    watch(): void {
      timer ??= setInterval(look, LOOK_MS)
      timer.unref()
    },
    /** Resolves when nothing is being taken up. */
    async stop(): Promise<void> {
      if (timer !== null) clearInterval(timer)
      timer = null
      await growing
    },
  }
}

/** What this machine has of what a panel can serve with. */
const installed = (): string[] => [
  ...(existsSync(NGINX) ? ['nginx'] : []),
  ...(canServeNames() ? ['pdns'] : []),
  ...(canServeDatabases() ? ['mariadb'] : []),
  ...[BWRAP, SSHD].filter((path) => existsSync(path)),
  ...installedVersions().map((version) => `php${version}`),
]
