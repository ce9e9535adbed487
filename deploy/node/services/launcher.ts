import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceDefinition } from './definition.ts'
import { waitUntil } from './process.ts'
import { PROGRAM_ENVIRONMENT, runProgram } from './program.ts'
import { ownUnit } from './unit.ts'

/** Starts main processes in a way that they outlive the panel. */
export type Launcher = {
  /** The main process that was started again by itself; null once it is certain that none was nor will be. */
  restarted(name: string): Promise<number | null>
  /** Answers the number of the main process. */
  launch(name: string, definition: ServiceDefinition): Promise<number>
  /** Called before a service is ended, so that nothing starts it again. */
  beforeStop(name: string): Promise<void>
}

/**
 * No process below gains rights by a file that runs as its owner, customers' programs included: no crontab, no sudo.
 */
const SETPRIV = '/usr/bin/setpriv'

/** Files of the services: group may read, others nothing. */
const UMASK = 0o027

/** Plain processes in sessions of their own; what they print goes to a file of the log directory. */
export function processLauncher(logDirectory: string): Launcher {
  return {
    restarted: async () => null,
    async launch(name, definition) {
      const log = definition.silent ? null : openSync(join(logDirectory, `${name}.out`), 'a', 0o640)
      // PHP creates the customers' files with this mask; nothing else runs until it is put back.
      const before = process.umask(UMASK)
      try {
        const child = spawn(SETPRIV, ['--no-new-privs', ...definition.argv], {
          cwd: '/',
          env: { ...PROGRAM_ENVIRONMENT, ...definition.environment },
          detached: true,
          stdio: ['ignore', log ?? 'ignore', log ?? 'ignore'],
        })
        child.on('error', () => undefined)
        child.unref()
        if (child.pid === undefined) throw new Error(`${definition.argv[0]} could not be started`)
        return child.pid
      } finally {
        process.umask(before)
        if (log !== null) closeSync(log)
      }
    },
    beforeStop: async () => undefined,
  }
}

const SYSTEMD_RUN = '/usr/bin/systemd-run'
const SYSTEMCTL = '/usr/bin/systemctl'
const RESTART_MS = 3_000
const silence = ({ silent }: ServiceDefinition) =>
  silent ? ['StandardOutput=null', 'StandardError=null'] : []

/**
 * Transient units: the processes begin in systemd's clean surroundings instead of the panel's hardened ones,
 * are accounted and limited apart from it, and are restarted even while the panel is down.
 */
export function systemdLauncher(prefix: string): Launcher {
  const unit = (name: string) => `${prefix}-${name}.service`
  return {
    async restarted(name) {
      const restarted = await restartedBySystemd(unit(name))
      if (restarted !== null) return restarted
      await runProgram([SYSTEMCTL, 'stop', unit(name)])
      await runProgram([SYSTEMCTL, 'reset-failed', unit(name)])
      return null
    },
    async launch(name, definition) {
      const result = await runProgram([
        SYSTEMD_RUN,
        `--unit=${unit(name)}`,
        '--service-type=exec',
        ...[...unitProperties(definition), ...silence(definition), ...(definition.unitProperties ?? [])].map(
          (value) => `--property=${value}`,
        ),
        ...Object.entries(definition.environment ?? {}).map(([name, value]) => `--setenv=${name}=${value}`),
        '--',
        ...definition.argv,
      ])
      if (result.code !== 0) throw new Error(`systemd-run failed: ${result.output.slice(0, 300)}`)
      return (await stateOf(unit(name))).mainPid
    },
    async beforeStop(name) {
      await runProgram([SYSTEMCTL, 'stop', unit(name)])
    },
  }
}

/** How to run a program to its end where systemd does not hold it to what the panel's own unit may. */
export const outsideOfUnit = (argv: string[]): string[] =>
  ownUnit() === null ? argv : [SYSTEMD_RUN, '--quiet', '--wait', '--pipe', '--collect', '--', ...argv]

/**
 * The main process of a unit that systemd is restarting by itself, or has just restarted: restarting it again would
 * interrupt visitors twice. Null where there is no such unit, or where it takes long to end.
 */
async function restartedBySystemd(unit: string): Promise<number | null> {
  let state = await stateOf(unit)
  const settled = async () => {
    state = await stateOf(unit)
    return state.active === 'active' || ['inactive', 'failed'].includes(state.active)
  }
  await waitUntil(settled, { timeoutMs: RESTART_MS, everyMs: 20 })
  return state.active === 'active' && state.mainPid > 0 ? state.mainPid : null
}

async function stateOf(unit: string): Promise<{ active: string; mainPid: number }> {
  const { output } = await runProgram([SYSTEMCTL, 'show', '--property=ActiveState,MainPID', unit])
  const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1] ?? ''
  return { active: field('ActiveState'), mainPid: Number(field('MainPID')) }
}

function unitProperties({ stopSignal = 'SIGTERM', stopMs = 5_000 }: ServiceDefinition): string[] {
  return [
    'Restart=on-failure',
    // Sooner than the panel looks, so that the two do not both restart it; and the panel may be down.
    'RestartSec=100ms',
    'StartLimitIntervalSec=0',
    // Workers of a killed main process finish what they answer, and no longer hold up its successor.
    `KillSignal=${stopSignal}`,
    `TimeoutStopSec=${stopMs}ms`,
    // A worker that the kernel ended for want of memory is replaced by its main process; the others stay.
    'OOMPolicy=continue',
    `UMask=${UMASK.toString(8).padStart(4, '0')}`,
  ]
}

/**
 * Keeps the distribution's own units from taking the ports or coming back with an upgrade. Only masks; the
 * files of the distribution stay as they are.
 */
export async function maskDistributionUnits(units: string[]): Promise<void> {
  if (units.length === 0) return
  const result = await runProgram([SYSTEMCTL, 'mask', '--now', ...units])
  if (result.code !== 0) throw new Error(`systemctl mask failed: ${result.output.slice(0, 300)}`)
}
