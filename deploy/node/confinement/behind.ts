import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { runProgram } from '../services/program.ts'
import { ownUnit } from '../services/unit.ts'
import joining from './behind.pl' with { type: 'text' }

const PERL = '/usr/bin/perl'
const SYSTEMD_RUN = '/usr/bin/systemd-run'
const SYSTEMCTL = '/usr/bin/systemctl'
/** Of 100 that each service has; the keeper's group has the same share. */
const WEIGHT = 25
const LEAST_BYTES = 512 * 1024 * 1024

/** Words before a program that must not slow what is served, and what has to be done once before they are used. */
export type Behind = { words: string[]; prepare(): Promise<void> }

/**
 * Has programs of the node's own work stay behind the served sites, in one group with a small share of processor and
 * disk and a bound of memory: a slice under systemd, else a group that the keeper makes beside the clients'. A program
 * that cannot join it runs all the same.
 */
export function behindSites({ run }: Pick<Layout, 'run'>): Behind {
  const unit = ownUnit()
  if (unit === null)
    return { words: [PERL, '-e', joining, join(run, 'control.s')], prepare: async () => undefined }
  return behindUnit(unit, runProgram)
}

/** The same under systemd, in a slice beside a unit. Where no scope can be started there, programs run without one. */
export function behindUnit(unit: string, run: typeof runProgram): Behind {
  const slice = sliceOf(unit)
  const scope = [SYSTEMD_RUN, '--quiet', '--scope', '--collect', `--slice=${slice}`, '--']
  const words: string[] = []
  const done = { isBound: false }
  const succeeds = async (argv: string[]) => (await run(argv)).code === 0
  return {
    words,
    prepare: async () => {
      // Where systemd refuses, it is asked again the next time: copies are worth more than their place.
      done.isBound ||= await succeeds([SYSTEMCTL, 'set-property', '--runtime', slice, ...bounds()])
      const works = await succeeds([...scope, '/usr/bin/true'])
      words.splice(0, words.length, ...(works ? scope : []))
    },
  }
}

/** Beside the services' units: what is weighed against each other are the children of one slice. */
const sliceOf = (unit: string) => `system-${unit}_copias.slice`

const bounds = (): string[] => [
  ...[`CPUWeight=${WEIGHT}`, `IOWeight=${WEIGHT}`],
  `MemoryMax=${Math.max(LEAST_BYTES, Math.floor(totalmem() / 4))}`,
]
