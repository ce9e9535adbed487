import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const SYSTEMD_NOTIFY = '/usr/bin/systemd-notify'
const SERVICE = /\/([A-Za-z0-9_.]+)[A-Za-z0-9_.@:-]*\.service$/

/**
 * What the system service that this process runs as is called, up to its first dash: the panel's own commands run
 * as `controlpanel-orden-…`, and work with the same services as the panel. Null for a process that somebody started
 * in a session, and where there is no systemd. The kernel's own word for it (cgroups(7)).
 */
export function ownUnit(): string | null {
  if (!existsSync('/run/systemd/system')) return null
  return unitIn(readFileSync('/proc/self/cgroup', 'utf8'))
}

/** The same from the text of `/proc/<pid>/cgroup`, of either version of control groups. */
export function unitIn(cgroups: string): string | null {
  const path = /^(?:\d+:name=systemd|0:):(\/.*)$/m.exec(cgroups)?.[1] ?? ''
  return path.includes('/user.slice/') ? null : (SERVICE.exec(path)?.[1] ?? null)
}

/** Tells systemd that the panel has started (sd_notify(3), `READY=1`); without a systemd that waits, nothing. */
export async function tellReady(socket: string | undefined): Promise<void> {
  if (socket === undefined || !existsSync(SYSTEMD_NOTIFY)) return
  await new Promise<void>((resolve) => {
    const child = spawn(SYSTEMD_NOTIFY, ['--ready'], { env: { NOTIFY_SOCKET: socket }, stdio: 'ignore' })
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
}
