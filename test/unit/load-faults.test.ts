import { expect, test } from 'bun:test'
import { faultSaid, loadFault } from '../../deploy/node/databases/loading/said.ts'
import { AppError } from '../../lib/endpoint/errors.ts'

const codeOf = (error: unknown): string | null => (error instanceof AppError ? error.codigo : null)

test.each([
  ["ERROR 1114 (HY000) at line 7: The table 't' is full", 'sin_espacio'],
  [
    'ERROR 1021 (HY000) at line 7: Disk full (/tmp/#sql); waiting for someone to free some space',
    'sin_espacio',
  ],
  [
    'ERROR 3 (HY000) at line 7: Error writing file \'/tmp/MLx\' (Errcode: 28 "No space left on device")',
    'sin_espacio',
  ],
  [
    'ERROR 1005 (HY000) at line 7: Can\'t create table `x`.`t` (errno: 28 "No space left on device")',
    'sin_espacio',
  ],
  ['ERROR 1005 (HY000) at line 7: Can\'t create table `x`.`t` (errno: 189 "Disk full")', 'sin_espacio'],
  ['ERROR 1030 (HY000) at line 7: Got error 28 "No space left on device" from storage engine', 'sin_espacio'],
  [
    'ERROR 1005 (HY000) at line 7: Can\'t create table `x`.`t` (errno: 150 "Foreign key")',
    'volcado_rechazado',
  ],
  ['ERROR 1064 (42000) at line 28: You have an error in your SQL syntax', 'volcado_rechazado'],
  ["ERROR 1044 (42000) at line 7: Access denied for user 'x' to database 'y'", 'volcado_ajeno'],
  ['ERROR 2013 (HY000) at line 7: Lost connection to server during query', null],
  ['', null],
])('what MariaDB’s client says of a dump: %s', (stderr, codigo) => {
  expect(codeOf(faultSaid({ code: 1, stderr }))).toBe(codigo)
})

const refused = (errno: number, message: string) => Object.assign(new Error(message), { errno })

test.each<[string, unknown, 'disco' | 'inodos' | null, string | null]>([
  ['a refusal of the server for a full disk', refused(1021, 'Disk full'), null, 'sin_espacio'],
  [
    'one that tells it as its reason',
    refused(1006, "Can't create database (errno: 28)"),
    null,
    'sin_espacio',
  ],
  ['a file that cannot be written', new Error('ENOSPC: no space left on device, write'), null, 'sin_espacio'],
  ['a server that is gone while the disk is full', new Error('mariadb failed'), 'disco', 'sin_espacio'],
  ['a server that is gone otherwise', new Error('mariadb failed'), null, null],
  ['what is refused already', new AppError('volcado_ajeno'), 'disco', 'volcado_ajeno'],
])('%s', (_, error, exhausted, codigo) => {
  expect(codeOf(loadFault(error, exhausted))).toBe(codigo)
})
