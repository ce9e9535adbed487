import { and, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameDocs, siteNames } from '../../schema/tables.ts'
import type { Db } from './database.ts'

/** The indexes of the migrations `search`, `record_search` and `name_search`; the row ids are the ids of what they find. */
type Index = 'client_search' | 'name_search' | 'zone_search' | 'record_search'

/** How many characters the index needs: it is one of trigrams. */
const SHORTEST = 3

/**
 * A text as the index is asked for it: any part, as it stands, without regard to case and accents. Null if it is too
 * short to be found so.
 */
export function phraseOf(text: string): string | null {
  const plain = text.normalize('NFC')
  return [...plain].length < SHORTEST ? null : `"${plain.replaceAll('"', '""')}"`
}

/** How many trigrams of a text `trigramsOf` asks for. */
const MOST_TRIGRAMS = 12

/**
 * What the index is asked for where texts are long, as a phrase takes time for each place where a trigram stands: some
 * of its trigrams, wherever they are. What has them all may not have the text: that is to be compared.
 */
export function trigramsOf(text: string): string {
  const all = [...text]
  const last = all.length - SHORTEST
  const step = Math.max(1, last / (MOST_TRIGRAMS - 1))
  const starts = Array.from({ length: MOST_TRIGRAMS }, (_, at) => Math.min(last, Math.round(at * step)))
  const trigrams = starts.map((at) => phraseOf(all.slice(at, at + SHORTEST).join('')))
  return last < 0 ? '""' : [...new Set(trigrams)].join(' AND ')
}

/** A subquery for the ids of what has a phrase. */
export const idsWith = (index: Index, phrase: SQLWrapper | string): SQL =>
  sql`(select rowid from ${sql.identifier(index)} where ${sql.identifier(index)} match ${phrase})`

/** Whether a name of a site has a part, of which the index has told the trigrams. */
export function nameHas(db: Db, { trigrams, part }: Record<'trigrams' | 'part', SQLWrapper | string>) {
  const names = db
    .select({ name: nameDocs.name })
    .from(nameDocs)
    .where(
      and(inArray(nameDocs.id, idsWith('name_search', trigrams)), sql`instr(${nameDocs.name}, ${part}) > 0`),
    )
  return inArray(siteNames.name, names)
}
