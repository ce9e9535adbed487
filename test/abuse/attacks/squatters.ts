import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventually } from '../../support/wait.ts'
import { give, type Machine, type Site, type Stage, secretsIn } from './stage.ts'

/** Processes as root's `ps` tells them. */
const SERVICES = {
  // Its workers would go on answering without it.
  nginx: 'nginx: (?:master|worker) process',
  'the name server': 'pdns_server --config-dir',
  'each PHP-FPM': 'php-fpm: master process',
  'the keeper of PHP': '^root .*/keeper\\.pl ',
} as const

const BACK_MS = 20_000

/** Begins to wait for every port of a service; it lives until its customer's PHP is ended, or for a while. */
export async function squat(stage: Machine, site: Site, seconds: number): Promise<void> {
  const { panel, http, https, dns } = stage.ports
  const api = readFileSync(stage.at(join(stage.dns, 'puerto')), 'utf8').trim()
  rmSync(stage.at(join(site.root, 'presa')), { force: true })
  const answer = await stage.visit(
    site,
    '/n.php',
    `./squat ${seconds} ${[panel, http, https, dns, api].join(' ')}`,
  )
  if (answer !== 'mailed') throw new Error(`no squatter: ${answer.slice(0, 100)}`)
  await eventually(async () => bootyOf(stage, site).includes('tried'), 'the squatter')
}

/** What the squatter told that it got. */
export function bootyOf(stage: Machine, site: Site): string {
  const path = stage.at(join(site.root, 'presa'))
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

export function defineSquatters(stage: () => Stage): void {
  describe('while a customer’s program waits for every port:', () => {
    const well = async () => (await stage().faults()).length === 0
    const killed = async (kill: () => Promise<void> | void) => {
      await eventually(well, 'a machine that is well')
      give(stage(), stage().victim, 'viva.php', '<?php echo "viva";')
      const begun = () =>
        squat(stage(), stage().attacker, 25).then(
          () => true,
          () => false,
        )
      await eventually(begun, 'the squatter')
      await kill()
      await eventually(well, 'all that was there before', BACK_MS)
      const booty = bootyOf(stage(), stage().attacker)
      expect(booty.match(/^(?:took|told).*/gm) ?? []).toEqual([])
      expect(secretsIn(stage(), booty)).toEqual([])
      await eventually(
        async () => (await stage().visit(stage().victim, '/viva.php')) === 'viva',
        'the victim’s PHP',
      )
    }

    for (const [name, pattern] of Object.entries(SERVICES)) {
      test(
        `${name} is back by itself when it was killed, and the squatter got nothing`,
        () =>
          killed(() => {
            const pids = pidsOf(stage(), pattern)
            expect(pids.length).toBeGreaterThan(0)
            stage().run('kill', '-9', ...pids)
          }),
        60_000,
      )
    }

    test(
      'the panel is back when it was killed, and the squatter got nothing',
      () => killed(() => stage().killPanel()),
      60_000,
    )

    test(
      'everything is back when all of it was killed at once, and the squatter got nothing',
      () =>
        killed(async () => {
          stage().run('kill', '-9', ...Object.values(SERVICES).flatMap((pattern) => pidsOf(stage(), pattern)))
          await stage().killPanel()
        }),
      60_000,
    )
  })
}

/** Of the panel under attack alone: others of the same machine have such services too. */
function pidsOf({ run, dns }: Machine, pattern: string): string[] {
  const expression = new RegExp(pattern)
  const lines = run('ps', '-eo', 'user,pid,ppid,args').output.split('\n')
  const processes = new Map(
    lines.flatMap((line) => {
      const [, user = '', pid = '', parent = '', args = ''] =
        /^(\S+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid === '' ? [] : [[pid, { user, parent, args }] as const]
    }),
  )
  const isOurs = (pid: string): boolean => {
    const found = processes.get(pid)
    return found !== undefined && (found.args.includes(`${dirname(dns)}/`) || isOurs(found.parent))
  }
  return [...processes]
    .filter(([, { user, args }]) => expression.test(`${user} ${args}`) && !args.startsWith('sh '))
    .flatMap(([pid]) => (isOurs(pid) ? [pid] : []))
}
