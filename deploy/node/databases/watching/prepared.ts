import { rootMessage } from '../../../../lib/text/root-message.ts'
import { type Administration, isRefusal } from '../connection.ts'

/** A name as the server writes it so that it can be read again: no other text is put into a statement. */
const NAME = /^(?:'[^'\\]*'|X'[0-9a-f]*')(?:,(?:'[^'\\]*'|X'[0-9a-f]*'))?(?:,\d+)?$/i

const ROLLBACK_MS = 900_000
/** At a time: to roll back what somebody wrote for minutes takes minutes, which others' do not wait for. */
const AT_ONCE = 2

type Options = { administration: Pick<Administration, 'run'>; report(message: string): void }

/**
 * Rolls back prepared transactions (`XA PREPARE`) whose session is gone. They would keep their locks through crashes and
 * after their client, and any other client could see them and commit them. The server has no way to refuse them; those
 * of a session that is there are its own still. Each call takes up those that are new, and waits for none.
 */
export function rollsBackPrepared({ administration: { run }, report }: Options): () => Promise<void> {
  const taken = new Set<string>()
  let waiting: string[] = []
  let workers = 0

  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      taken.add(name)
      try {
        await run(`XA ROLLBACK ${name}`, ROLLBACK_MS)
      } catch (error) {
        if (isRefusal(error)) continue
        // The next look asks for the others anew.
        waiting = []
        report(rootMessage(error))
      } finally {
        taken.delete(name)
      }
    }
  }

  return async () => {
    const found = (await run("XA RECOVER FORMAT = 'SQL'")).map(({ data }) => String(data))
    waiting = found.filter((name) => NAME.test(name) && !taken.has(name))
    while (workers < AT_ONCE && waiting.length > 0) {
      workers += 1
      void work().finally(() => (workers -= 1))
    }
  }
}
