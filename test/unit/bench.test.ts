import { expect, test } from 'bun:test'
import { measuresIn, ratioOf } from '../bench/_measures.ts'

test('numbers of every benchmark are told with their kind, and those of the machine are left out', () => {
  const output = `constant answer                        21000/s     0.70 ms  1.00 of the constant
GET /clientes, 50, first cursor          5210/s     2.91 ms  0.25 of the constant  0.80 of the bare driver
bare driver, 50 rows                     6500/s
memory of the panel     141 MB
start to first answer   312 ms
{"what":"publish","zones":2000,"seconds":12.1,"perSecond":165,"panelMiB":90.5,"serverMiB":40}
{"what":"10,000 RRsets","canonicalMs":11.2,"differenceMs":5.1}
{"what":"site created","sites":1000,"answer":40.1,"http":45,"dns":50.2,"nginxMemoryMb":30}
bundle               1012 kB, 301 kB compressed
cold start           61 ms, a constant's 20 ms: 41 ms are the panel's
the server alone     9000 point reads/s
GET /conexion        1800 requests/s, 40 % of the constant
a password           310 ms in workerd, 25 ms natively
`
  expect(measuresIn(output)).toEqual([
    { what: 'GET /clientes, 50, first cursor', kind: 'rate', value: 5210 },
    { what: 'memory of the panel', kind: 'memory', value: 141 },
    { what: 'start to first answer', kind: 'time', value: 312 },
    { what: 'publish 2000, perSecond', kind: 'rate', value: 165 },
    { what: 'publish 2000, panelMiB', kind: 'memory', value: 90.5 },
    { what: 'publish 2000, serverMiB', kind: 'memory', value: 40 },
    { what: '10,000 RRsets, canonicalMs', kind: 'time', value: 11.2 },
    { what: '10,000 RRsets, differenceMs', kind: 'time', value: 5.1 },
    { what: 'site created 1000, answer', kind: 'time', value: 40.1 },
    { what: 'site created 1000, http', kind: 'time', value: 45 },
    { what: 'site created 1000, dns', kind: 'time', value: 50.2 },
    { what: 'site created 1000, nginxMemoryMb', kind: 'memory', value: 30 },
    { what: 'bundle', kind: 'memory', value: 1012 },
    { what: 'cold start', kind: 'time', value: 61 },
    { what: 'GET /conexion', kind: 'rate', value: 1800 },
    { what: 'a password', kind: 'time', value: 310 },
  ])
})

test('a time that has grown is a smaller part of the rate, and memory that has grown is a larger one', () => {
  expect([ratioOf('time', 10, 20), ratioOf('rate', 10, 20), ratioOf('memory', 10, 20)]).toEqual([0.5, 2, 2])
})
