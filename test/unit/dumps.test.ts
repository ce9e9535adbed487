import { expect, test } from 'bun:test'
import { Readable } from 'node:stream'
import { WithoutDefiners } from '../../deploy/node/databases/loading/definers.ts'
import { DumpEnds } from '../../deploy/node/databases/loading/dump-ends.ts'
import { paced } from '../../deploy/node/databases/paced.ts'
import { parseDumpPath } from '../../lib/loads/paths.ts'

/** A text as it leaves, given in parts of so many bytes. */
function passed(text: string, size: number): string {
  const sql = new WithoutDefiners()
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(sql.add(bytes.subarray(at, at + size)))
  return Buffer.concat([...parts, sql.end()]).toString()
}

test.each([
  ['CREATE DEFINER=`a`@`%` PROCEDURE `p`()', 'CREATE PROCEDURE `p`()'],
  ['/*!50013 DEFINER=`a`@`b` SQL SECURITY DEFINER */', '/*!50013 SQL SECURITY DEFINER */'],
  [
    '/*!50003 CREATE*/ /*!50017 DEFINER=`a``x`@`b`*/ /*!50003 TRIGGER t */;;',
    '/*!50003 CREATE*/ /*!50017 */ /*!50003 TRIGGER t */;;',
  ],
  [
    '/*!50106 CREATE*/ /*!50117 DEFINER=`a`@`b`*/ /*!50106 EVENT `e` */',
    '/*!50106 CREATE*/ /*!50117 */ /*!50106 EVENT `e` */',
  ],
])('a definer that a dump names is left out, however the dump is cut into parts: %s', (line, without) => {
  for (const size of [1, 7, 64, 10_000]) {
    expect(passed(`-- x\n${line}\nbegin\n${line}`, size)).toBe(`-- x\n${without}\nbegin\n${without}`)
  }
})

test('what looks like a definer and is data, or is in no place of one, stays', () => {
  const lines = [
    'INSERT INTO t VALUES ("CREATE DEFINER=`a`@`b` VIEW"),(" /*!50013 DEFINER=`a`@`b` */");',
    ` CREATE DEFINER=\`a\`@\`b\` PROCEDURE p()`,
    'CREATE DEFINER=root@localhost VIEW v AS SELECT 1;',
    `INSERT INTO t VALUES ('${'x'.repeat(700)} CREATE DEFINER=\`a\`@\`b\` ');`,
  ].join('\n')
  for (const size of [1, 511, 512, 513, 10_000]) expect(passed(lines, size)).toBe(lines)
})

test('bytes that are no text pass as they are', () => {
  const bytes = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7) % 256)
  const sql = new WithoutDefiners()
  const out = [bytes.subarray(0, 1111), bytes.subarray(1111)].map((part) => sql.add(part))
  expect(Buffer.concat([...out, sql.end()]).equals(Buffer.from(bytes))).toBe(true)
})

test('a dump is known to be cut off by its two ends, where it tells of them', () => {
  const cutOff = (...parts: string[]) => {
    const ends = new DumpEnds()
    for (const part of parts) ends.add(Buffer.from(part))
    return ends.isCutOff
  }
  const first = '/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n'
  expect(cutOff(first, 'create table t;\n', '-- Dump comp', 'leted on 2026-11-23\n')).toBe(false)
  expect(cutOff(first, 'create table t;\n')).toBe(true)
  expect(cutOff('-- MySQL', ' dump 10.13', '\n')).toBe(true)
  expect(cutOff('-- phpMyAdmin SQL Dump\n', 'COMMIT;\n')).toBe(false)
})

test.each([
  ['/sitios/ejemplo.es/a/b.sql', { domain: 'ejemplo.es', path: '/a/b.sql', packing: 'none' }],
  ['/sitios/ejemplo.es/b.SQL.GZ', { domain: 'ejemplo.es', path: '/b.SQL.GZ', packing: 'gzip' }],
  ['/sitios/ejemplo.es/b.sql.zst', { domain: 'ejemplo.es', path: '/b.sql.zst', packing: 'zstd' }],
])('the path of a dump leads to a site: %s', (path, place) => {
  expect(parseDumpPath(path)).toEqual(place as ReturnType<typeof parseDumpPath>)
})

test.each([
  '/sitios/ejemplo.es/../otro.es/b.sql',
  '/sitios/b.sql',
  '/b.sql',
  'sitios/a/b.sql',
  '/sitios/a/b.zip',
])('a path that leads elsewhere is refused: %s', (path) =>
  expect(() => parseDumpPath(path)).toThrow('ruta_invalida'),
)

const ENDLESS = {
  read(this: Readable) {
    this.push(Buffer.alloc(65_536))
  },
}

test('a dump is cut off for a reader who takes nothing for a while', async () => {
  const source = new Readable(ENDLESS)
  const reader = paced(source, { patienceMs: 20, bytesPerMs: 65_536 }).getReader()
  expect((await reader.read()).done).toBe(false)
  await expect(reader.closed).rejects.toThrow('read too slowly')
  expect(source.destroyed).toBe(true)
})

test('a reader is given time for what it took', async () => {
  const source = Readable.from([Buffer.alloc(1000)])
  const reader = paced(source, { patienceMs: 0, bytesPerMs: 0.01 }).getReader()
  expect((await reader.read()).value?.length).toBe(1000)
  expect((await reader.read()).done).toBe(true)
})
