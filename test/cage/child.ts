import { createCages } from '../../deploy/node/cage/cage.ts'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { identityOf } from '../../deploy/node/users/identity.ts'

/** A panel that runs a program as client 1 and waits for it. */
const [, , base = '', seconds = ''] = process.argv
const runCaged = createCages(
  createLayout(base),
  identityOf(JSON.parse(process.env.CAGE_USERS ?? '')),
  () => false,
)
const caged = await runCaged({
  client: { clientId: 1, sites: [] },
  sees: 'client',
  argv: ['/bin/sleep', seconds],
  deadlineMs: 60_000,
})
await caged.ended
