import { type Administration, isRefusal } from '../connection.ts'

/** A name as the server writes it so that it can be read again: no other text is put into a statement. */
const NAME = /^(?:'[^'\\]*'|X'[0-9a-f]*')(?:,(?:'[^'\\]*'|X'[0-9a-f]*'))?(?:,\d+)?$/i

const ROLLBACK_MS = 900_000

/**
 * Rolls back prepared transactions (`XA PREPARE`) whose session is gone. They would keep their locks through crashes and
 * after their client, and any other client could see them and commit them. The server has no way to refuse them; those
 * of a session that is there are its own still.
 */
export async function endPrepared({ run }: Administration): Promise<void> {
  for (const { data } of await run("XA RECOVER FORMAT = 'SQL'")) {
    const name = String(data)
    if (!NAME.test(name)) continue
    await run(`XA ROLLBACK ${name}`, ROLLBACK_MS).catch((error) => {
      if (!isRefusal(error)) throw error
    })
  }
}
