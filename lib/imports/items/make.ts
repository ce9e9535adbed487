import type { Importing, Row } from '../importing.ts'
import type { Wanted } from '../planned.ts'
import { makeDatabase } from './database.ts'
import { makeSite } from './site.ts'
import { makeTask } from './task.ts'
import { makeZone } from './zone.ts'

/** Makes one thing of an import whole; one that was begun before goes on. */
export function makeItem(importing: Importing, row: Row): Promise<void> {
  // Written by the import's own plan, by kind.
  switch (row.kind) {
    case 'base':
      return makeDatabase(importing, row, row.wanted as Wanted<'base'>)
    case 'sitio':
      return makeSite(importing, row, row.wanted as Wanted<'sitio'>)
    case 'zona':
      return makeZone(importing, row, row.wanted as Wanted<'zona'>)
    case 'programada':
      return makeTask(importing, row, row.wanted as Wanted<'programada'>)
  }
}
