import { describe, expect, test } from 'bun:test'
import { FILES } from './files.ts'
import { PORTS } from './ports.ts'
import { defineResources } from './resources.ts'
import { SECRETS } from './secrets.ts'
import { defineSquatters } from './squatters.ts'
import { type Attack, forbidden, run, type Stage, secretsIn } from './stage.ts'
import { defineSurvival } from './survival.ts'

const GROUPS: [string, Attack[]][] = [
  ['other customers’ files:', FILES],
  ['the panel’s secrets:', SECRETS],
  ['services’ ports:', PORTS],
]

/** All attacks, as tests of the surrounding file. */
export function defineAttacks(stage: () => Stage): void {
  for (const [group, attacks] of GROUPS) {
    describe(group, () => {
      for (const attack of attacks) {
        test(attack.name, async () => {
          await attack.first?.(stage())
          const told = await run(stage(), attack)
          expect(told).toMatch(attack.can)
          expect(secretsIn(stage(), told)).toEqual([])
          expect(forbidden(stage(), attack, told).slice(0, 5)).toEqual([])
          await attack.outside?.(stage(), told)
        })
      }
    })
  }
  defineSurvival(stage)
  defineResources(stage)
  defineSquatters(stage)
}
