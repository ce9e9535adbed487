import { beforeAll, expect, test } from 'bun:test'
import { runInMachine } from '../support/machine/machine.ts'
import { PLAN, type Seen } from './guest.ts'

const DEADLINE_MS = 900_000

let seen: Seen

/** In a machine whose kernel has control groups of version 2 alone, as Debian boots: this one's may have the first. */
beforeAll(async () => {
  const { said, console } = await runInMachine('test/groups/guest.ts', { deadlineMs: DEADLINE_MS })
  const [, line] = said.match(/^seen (.*)$/m) ?? []
  if (line === undefined)
    throw new Error(`the machine ended early: ${said.slice(-8000)}\n${console.slice(-2000)}`)
  seen = JSON.parse(line)
}, DEADLINE_MS + 60_000)

test('the panel holds clients to their plans in groups of version 2', () => {
  expect(seen.version).toBe(2)
  expect(seen.limits).toEqual({
    'memory.max': String(PLAN.memoria_bytes),
    'pids.max': String(PLAN.procesos),
    'cpu.max': '50000 100000',
  })
})

test('the panel answers while one peer holds more connections than a process may have files by itself', () => {
  expect(seen.idle).toEqual({ held: 6000, status: 200 })
})

test('what the node does of its own has a small share beside all clients', () => {
  expect(seen.behind).toEqual({ joined: true, weight: '25' })
})

test('the first request wakes PHP and is answered, as is the one after a suspension', () => {
  expect(seen.first).toMatch(/^200 \d+$/)
  expect(seen.again).toBe(seen.first)
})

test('what a client starts is in its group, is refused beyond its plan, and a neighbour notices nothing', () => {
  expect(seen.crowd.outside).toEqual([])
  expect(seen.crowd.processes).toBeWithin(15, PLAN.procesos + 1)
  expect(seen.crowd.neighbour).toMatch(/^200 \d+$/)
})

test('a program that takes more memory than the plan gives is ended, and PHP answers afterwards', () => {
  expect(seen.greedy).toMatch(/137/)
  expect(seen.afterwards).toBe(seen.first)
})

test('use is told with what was refused', () => {
  expect(seen.use.consumo).toMatchObject({ memoria_bytes: { limite: PLAN.memoria_bytes } })
  expect(seen.use.consumo.procesos.limite).toBe(PLAN.procesos)
})

test('a task runs as its client', () => {
  expect(seen.task).toMatchObject({ codigo: 0, salida: seen.first.split(' ')[1] })
})

test('a suspension and a deletion end every process of the client, and its group', () => {
  expect(seen.suspended).toMatchObject({ processes: [], group: false })
  expect(seen.suspended.page).not.toStartWith('200')
  expect(seen.deleted).toEqual({ processes: [], group: false })
})
