import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSupervisor } from '../../deploy/node/services/supervisor.ts'

test('a service that is started again does not count as running before it answers', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'supervisor-'))
  const asked = Promise.withResolvers<void>()
  const answers = Promise.withResolvers<boolean>()
  const supervisor = createSupervisor({
    runDirectory: directory,
    temporaryDirectory: directory,
    launcher: {
      restarted: async () => null,
      beforeStop: async () => {},
      // Of a session of its own, as services are.
      launch: async () => Bun.spawn(['/usr/bin/setsid', '/usr/bin/sleep', '60']).pid,
    },
    lend: (run) => run(),
    watchMs: 3_600_000,
  })
  const ready = () => {
    asked.resolve()
    return answers.promise
  }
  const started = supervisor.start('prueba', { argv: ['/usr/bin/sleep', directory], files: [], ready })
  try {
    await asked.promise
    expect((await supervisor.states())[0]?.running).toBe(false)
    answers.resolve(true)
    await started
    expect((await supervisor.states())[0]?.running).toBe(true)
  } finally {
    await supervisor.stopAll()
    rmSync(directory, { recursive: true, force: true })
  }
})
