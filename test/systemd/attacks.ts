import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { visit } from '../abuse/attacks/box.ts'
import { defineAttacks } from '../abuse/attacks/define.ts'
import { LIMITS } from '../abuse/attacks/resources.ts'
import { bootyOf, squat } from '../abuse/attacks/squatters.ts'
import { type Machine, type Stage, setStage } from '../abuse/attacks/stage.ts'
import { DATA, UNIT } from './support/installed.ts'
import type { World } from './world.ts'

/** Stands in the settings of the service; not in this file, which is on the machine too. */
export const CRON_SECRET = `canario-${randomBytes(8).toString('hex')}`

/** The attacks of test/abuse/attacks, on a machine with systemd. */
export function attacking(world: World): void {
  let stage: Stage

  test('a customer with native code is there', async () => {
    stage = await setStage(machineOf(world), LIMITS)
    expect(stage.attacker.uid).toBeGreaterThan(20_000)
  })

  defineAttacks(() => stage)

  describe('while a customer’s program begins as soon as it can:', () => {
    test('a reboot gives it no port and tells it nothing, and everything is back', async () => {
      const { machine, panel } = world
      await squat(stage, stage.attacker, 5)
      await machine.powerOff()
      let on = true
      const trying = (async () => {
        while (on)
          await squat(stage, stage.attacker, 5).catch(() => new Promise((resolve) => setTimeout(resolve, 20)))
      })()
      await machine.start()
      await panel.serves()
      await world.until(async () => (await stage.faults()).length === 0, 'everything')
      await squat(stage, stage.attacker, 2).catch(() => undefined)
      on = false
      await trying
      const booty = bootyOf(stage, stage.attacker)
      expect(booty).toContain('tried')
      expect(booty).not.toMatch(/^(?:took|told)/m)
    }, 120_000)
  })
}

function machineOf({ machine, panel, site, until }: World): Machine {
  return {
    at: (path) => machine.path(path),
    run: (...argv) => machine.run(...argv),
    visit: (of, path, body) => visit(`http://${machine.address}${path}`, of, body),
    api: panel.api,
    async killPanel() {
      const before = machine.unit(UNIT, 'MainPID')
      machine.run('systemctl', 'kill', '--signal=KILL', UNIT)
      await until(
        () => !['0', before].includes(machine.unit(UNIT, 'MainPID')),
        'another process of the panel',
      )
    },
    async faults() {
      const got = await panel.visit(site)
      const bad = panel.rightAnswers(site).filter((right, at) => got[at] !== right)
      const status = (await panel.api('GET', '/conexion').catch(() => null))?.status
      return status === 200 ? bad : [...bad, 'the panel']
    },
    async site(client, extra = {}) {
      const host = `${client}.es`
      const body = { cliente: client, correo: `a@${host}`, domain: host, enviar: false, ...extra }
      const made = await panel.api('PUT', `/altas/${client}`, body)
      const root: string = made.body.sitio.raiz
      const { uid, gid } = lstatSync(machine.path(root))
      return { client, clientId: Number(root.split('/').at(-3)), host, root, uid, gid }
    },
    data: DATA,
    web: `${DATA}/web`,
    dns: `${DATA}/dns`,
    ports: { panel: 2087, http: 80, https: 443, dns: 53 },
    told: CRON_SECRET,
  }
}
