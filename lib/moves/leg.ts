import type { Services } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { RunningJob } from '../work/running.ts'
import type { Moving } from './commands.ts'

/** One node's part of a move, while it does it. */
export type Leg = Moving & { services: Services; job: RunningJob; step: Step }
