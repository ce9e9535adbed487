import { eq } from 'drizzle-orm'
import { settings } from '../../schema/tables.ts'
import type { Db, Tx } from './database.ts'

/** The value of a setting of the whole panel. */
export const selectSetting = (db: Db, name: string) =>
  db.select({ value: settings.value }).from(settings).where(eq(settings.name, name))

/** The write of a setting, new or in the place of what it was. */
export const putSetting = (tx: Tx, name: string, value: string) =>
  tx.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } })
