import type { Handler } from '../../lib/endpoint/handler.ts'
import searchRecords from '../records/search.ts'
import connection from './connection.ts'
import create from './create.ts'
import deleteRecord from './delete-record.ts'
import exportZone from './export.ts'
import history from './history.ts'
import importZone from './import.ts'
import list from './list.ts'
import mail from './mail/show.ts'
import putRecord from './put-record.ts'
import records from './records.ts'
import remove from './remove.ts'
import show from './show.ts'
import sign from './sign.ts'
import unsign from './unsign.ts'

/** Every operation on zones and records, to be mounted with the others. */
export const zoneHandlers: Handler[] = [
  list,
  show,
  create,
  remove,
  records,
  putRecord,
  deleteRecord,
  exportZone,
  importZone,
  history,
  connection,
  mail,
  searchRecords,
  sign,
  unsign,
]
