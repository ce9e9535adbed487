import { fuzz } from './fuzz.ts'
import { world } from './world.ts'

/** `bun run fuzz SEED ROUNDS`: prints what was not as the document says, and fails where there was any. */
const [seed = '1', rounds = '1000'] = process.argv.slice(2)
const made = await world()
const { faults, statuses } = await fuzz(made, Number(seed), Number(rounds))
await made.panel.stop()
for (const fault of faults) console.log(fault)
console.log(`${rounds} requests, ${faults.length} faults, statuses ${statuses.join()}`)
process.exit(faults.length > 0 ? 1 : 0)
