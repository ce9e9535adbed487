import { describe, expect, test } from 'bun:test'
import { missingProtections } from '../../deploy/node/confinement/protections.ts'
import { heavyWords } from '../../lib/nodes/heavy-words.ts'
import { namedHeavy, weight } from '../../lib/usage/heaviest.ts'
import { usage } from '../../schema/tables.ts'
import { addClient, NOW, testServices } from './store.ts'

const GIB = 1024 ** 3
const machine = { processors: 4, memoryBytes: 16 * GIB }
const idle = { cpuPercent: 0, memoryBytes: 0, processes: 0, processLimit: 100 }

test.each([
  ['a quarter of four processors', { cpuPercent: 100 }, true],
  ['less than a quarter of them', { cpuPercent: 99 }, false],
  ['a quarter of the memory', { memoryBytes: 4 * GIB }, true],
  ['less than a quarter of it', { memoryBytes: 4 * GIB - 1 }, false],
  ['nine tenths of its processes', { processes: 90 }, true],
  ['fewer than nine tenths of them', { processes: 89 }, false],
  ['a thousand processes without a limit', { processes: 1000, processLimit: null }, true],
  ['fewer without a limit', { processes: 999, processLimit: null }, false],
  ['what nobody counts', { cpuPercent: null, memoryBytes: null, processes: null }, false],
])('%s: more than a fair part is %p of it', (_name, taken, heavy) => {
  expect(weight({ ...idle, ...taken }, machine) >= 1).toBe(heavy)
})

test('a client that hit a limit since the last measurement is named, one that hit it before that is not', async () => {
  const { services, close } = await testServices()
  const counters = { cpuMicros: 0, memory: 5, processes: 5, throttledMicros: 20_000_000 }
  const busy = async (
    name: string,
    now: Partial<typeof counters>,
    more: { node?: string; weight?: number } = {},
  ) => {
    const { weight = 0.1, ...where } = more
    const clientId = await addClient(services, { name, ...where })
    const groups = { memoryBytes: 0, processes: 0, lately: null, counters }
    const row = { clientId, measuredAt: NOW, source: 'cuota', diskBytes: 0, inodes: 0, groups } as const
    await services.db.write((tx) => tx.insert(usage).values(row))
    return { clientId, ...idle, memoryLimit: null, weight, counters: { ...counters, ...now } }
  }
  const named = await namedHeavy(
    services.db.read,
    [
      await busy('antes', {}),
      await busy('memoria', { memory: 6 }, { weight: 0.2 }),
      await busy('procesos', { processes: 9 }),
      await busy('espera', { throttledMicros: 30_000_000 }, { weight: 0.3 }),
      await busy('casi', { throttledMicros: 29_900_000 }),
      await busy('pesado', {}, { weight: 1 }),
      await busy('fuera', { memory: 6 }, { node: 'nodo2' }),
      { ...(await busy('ido', {})), clientId: 999, weight: 9 },
    ],
    { now: new Date(NOW.getTime() + 60_000), node: 'nodo1' },
  )
  expect(named.map(({ client }) => client)).toEqual(['pesado', 'espera', 'memoria', 'procesos'])
  expect(named[2]?.refused).toEqual({ since: NOW.getTime(), memory: 1, processes: 0, cpuSeconds: 0 })
  await close()
})

describe('a client that stands out is put in words', () => {
  const one = {
    client: 'acme',
    cpuPercent: 180.2,
    memoryBytes: 1.5 * GIB,
    memoryLimit: 2 * GIB,
    processes: 96,
    processLimit: 100,
    weight: 1.8,
    refused: { since: 0, memory: 12, processes: 1, cpuSeconds: 41.2 },
  }

  test('with all that is known', () => {
    expect(heavyWords(one)).toEqual({
      en: '180 % of a processor, 1.6 GB of 2.1 GB of memory, 96 of 100 processes, refused 12 times for want of memory, refused once for want of processes, kept waiting 41 s for its part of the processor',
      es: '180 % de un procesador, 1,6 GB de 2,1 GB de memoria, 96 de 100 procesos, rechazado 12 veces por falta de memoria, rechazado una vez por falta de procesos, 41 s a la espera de su parte del procesador',
    })
  })

  test('without what is not known, not limited and not refused', () => {
    const refused = { since: 0, memory: 0, processes: null, cpuSeconds: 0.4 }
    const less = { ...one, cpuPercent: null, memoryLimit: null, processLimit: null, refused }
    expect(heavyWords(less).en).toBe('1.6 GB of memory, 96 processes')
    expect(heavyWords({ ...one, memoryBytes: null, refused: null }).es).toBe(
      '180 % de un procesador, 96 de 100 procesos',
    )
  })
})

const all = { version: 1, memory: '/m', cpu: '/c', cpuacct: '/a', pids: '/p' } as const

test.each([
  ['root under systemd with every controller', { groups: all, root: true, systemd: true }, []],
  ['no root', { groups: null, root: false, systemd: false }, ['usuarios']],
  ['no groups', { groups: null, root: true, systemd: true }, ['grupos_de_control']],
  [
    'processes that nobody collects',
    { groups: all, root: true, systemd: false, uncollected: true },
    ['procesos_terminados', 'systemd'],
  ],
  ['no systemd', { groups: all, root: true, systemd: false }, ['systemd']],
  [
    'no memory controller',
    { groups: { ...all, memory: null }, root: true, systemd: true },
    ['limite_de_memoria'],
  ],
  [
    'neither a quota nor a count of processes',
    { groups: { ...all, cpu: null, pids: null }, root: true, systemd: false },
    ['limite_de_procesador', 'limite_de_procesos', 'systemd'],
  ],
])('with %s just that is told', (_name, surroundings, names) => {
  const missing = missingProtections({ uncollected: false, ...surroundings })
  expect(missing.map(({ name }) => name)).toEqual(names)
  // Where it is only tried out, what is missing is said and nothing is taken for broken.
  expect(missing.every(({ running }) => running === !surroundings.systemd)).toBe(true)
})
