import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { syncClientJob, syncPlanJob } from '../../lib/clients/job.ts'
import type { DesiredClient, Step } from '../../lib/endpoint/node-port.ts'
import { type RunningJob, watchJob } from '../../lib/work/running.ts'
import { clients, jobs } from '../../schema/tables.ts'
import { partly } from '../support/partly.ts'
import { addClient, testServices, withDriver } from './store.ts'

let base: Awaited<ReturnType<typeof testServices>>
beforeAll(async () => {
  base = await testServices()
})
afterAll(() => base.close())

const step: Step = (_name, run) => run()

test('a changed plan brings its processor, memory and processes to its clients on this node', async () => {
  const plan = { cpuPercent: 150, memoryBytes: 536_870_912, processes: 60 }
  const elsewhere = await addClient(base.services, { name: 'otro', node: 'nodo2' })
  const id = await addClient(base.services, { name: 'acme', plan })
  const { db } = base.services
  const planId = (await db.read.select().from(clients)).find((row) => row.id === id)?.planId
  await db.write((tx) => tx.update(clients).set({ planId }).where(eq(clients.id, elsewhere)))
  const changed = partly<RunningJob>({ target: 'nodo1', payload: { plan: planId } })
  const finish = await syncPlanJob.run(base.services, changed, step)
  await db.write((tx) => finish(tx))
  const queued = await db.read.select().from(jobs)
  expect(queued).toMatchObject([{ kind: 'cliente.aplicar', subject: `cliente:${id}`, node: 'nodo1' }])

  const applied: DesiredClient[] = []
  const services = withDriver(base.services, { syncClient: async (client) => void applied.push(client) })
  for (const job of queued) await syncClientJob.run(services, watchJob(db, job).running, step)
  expect(applied).toMatchObject([{ clientId: id, limits: plan }])
})
