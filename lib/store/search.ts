import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The indexes of the migrations `search` and `record_search`; the row ids are the ids of what they find. */
type Index = 'client_search' | 'site_search' | 'zone_search' | 'record_search'

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

/** A subquery for the ids of what has a phrase. */
export const idsWith = (index: Index, phrase: SQLWrapper | string): SQL =>
  sql`(select rowid from ${sql.identifier(index)} where ${sql.identifier(index)} match ${phrase})`
