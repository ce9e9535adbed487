import type { WorkerOptions } from '../../lib/work/worker.ts'
import type { Environment } from '../config.ts'

/**
 * With `PANEL_TEST=1`, `PANEL_TEST_KILL=kind:step:before|after` ends the process there as kill -9 would,
 * so that tests can prove that every step resumes. Without it there is no hook.
 */
export function stepHook(env: Environment): WorkerOptions['onStep'] | undefined {
  const target = env.PANEL_TEST === '1' ? env.PANEL_TEST_KILL : undefined
  if (!target) return undefined
  return async (kind, step, phase) => {
    if (`${kind}:${step}:${phase}` === target) process.kill(process.pid, 'SIGKILL')
  }
}
