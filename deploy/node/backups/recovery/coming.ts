import { mkdirSync } from 'node:fs'
import { comingBack, selectUnrestored } from '../../../../lib/backups/recover.ts'
import type { Services } from '../../../../lib/endpoint/context.ts'
import { rootMessage } from '../../../../lib/text/root-message.ts'
import type { Layout } from '../../files/layout.ts'
import { exists, removeFile, writeWhole } from '../../host/files.ts'

const LOOK_MS = 3_000

/**
 * Has the web server ask visitors to come again who ask for a name that leads nowhere, as long as what a lost node held is
 * being brought back: the name's site may not be made yet, and 404 would have search engines forget it.
 */
export async function keepComing({ db, log }: Pick<Services, 'db' | 'log'>, layout: Layout): Promise<void> {
  const look = async (): Promise<boolean> => {
    const isComing = comingBack(await selectUnrestored(db.read)).size > 0
    if (isComing === exists(layout.recovering)) return isComing
    if (isComing) {
      mkdirSync(layout.base, { recursive: true, mode: 0o711 })
      writeWhole({ path: layout.recovering, content: '', mode: 0o644 })
    } else removeFile(layout.recovering)
    return isComing
  }
  if (!(await look())) return
  const timer = setInterval(() => {
    look()
      .then((isComing) => isComing || clearInterval(timer))
      .catch((error) => log('warn', 'recovery not looked at', { reason: rootMessage(error) }))
  }, LOOK_MS)
  timer.unref()
}
