import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mailer } from '../../../lib/endpoint/context.ts'
import type { WorkerOptions } from '../../../lib/work/worker.ts'
import type { Environment } from '../../config.ts'

/**
 * With `PANEL_TEST=1`, so that tests can prove that every step resumes; without it there is no hook.
 * `PANEL_TEST_KILL=kind:step:before|after` ends the process there as kill -9 would. `PANEL_TEST_STEPS=<dir>`
 * notes each point passed, `client:kind:step:before|after`, in `<dir>/passed`; work stops at each of the points
 * listed in `<dir>/deadly`, and when it stands at all of them at once the process ends the same way.
 */
export function stepHook(env: Environment): WorkerOptions['onStep'] | undefined {
  if (env.PANEL_TEST !== '1') return undefined
  const { PANEL_TEST_KILL: target, PANEL_TEST_STEPS: directory } = env
  if (directory) return recording(directory)
  if (!target) return undefined
  return async ({ kind }, step, phase) => {
    if (`${kind}:${step}:${phase}` === target) process.kill(process.pid, 'SIGKILL')
  }
}

/** The same points around the hand-over of a mail: `correo:entregar:before|after`. */
export function hookedMailer(mailer: Mailer, onStep: WorkerOptions['onStep']): Mailer {
  if (!onStep) return mailer
  const mail = { kind: 'correo', clientName: null }
  return {
    async send(message) {
      await onStep(mail, 'entregar', 'before')
      await mailer.send(message)
      await onStep(mail, 'entregar', 'after')
    },
    relay: mailer.relay,
  }
}

function recording(directory: string): WorkerOptions['onStep'] {
  const reached = new Set<string>()
  return async ({ kind, clientName }, step, phase) => {
    const point = `${clientName ?? ''}:${kind}:${step}:${phase}`
    appendFileSync(join(directory, 'passed'), `${point}\n`)
    const path = join(directory, 'deadly')
    const deadly = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
    if (!deadly.includes(point)) return
    reached.add(point)
    if (deadly.every((one) => reached.has(one))) process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
}
