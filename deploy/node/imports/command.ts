import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { AppError, refusalText } from '../../../lib/endpoint/errors.ts'
import { type AskedImport, beginImport, lookAhead } from '../../../lib/imports/ask.ts'
import type { Job } from '../../../lib/work/jobs.ts'
import { IMPORT_ORIGINS } from '../../../schema/states.ts'
import type { Environment } from '../../config.ts'
import { type Output, UsageError } from '../commands/output.ts'
import type { Given } from '../commands/words.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { announce, servingFrom } from '../services/presence.ts'
import { importsDirectory } from './start.ts'
import { tellPlan, tellWork } from './told-view.ts'

const LOOK_MS = 500

/** `panel importar FILE`: imports an archive, or tells with `--simular` what that would do. */
export async function importArchive(env: Environment, given: Given, output: Output): Promise<void> {
  const origin = IMPORT_ORIGINS.find((one) => one === given.get('--origen'))
  if (origin === undefined) throw new UsageError(`--origen is one of ${IMPORT_ORIGINS.join(', ')}`)
  const runtime = await createRuntime(env, { hands: true })
  // The cages' keeper belongs to a panel that runs beside.
  const alone = servingFrom(runtime.config.dataDir).length === 0
  const leave = await runtime.hands?.space.lend(async () => announce(runtime.config.dataDir))
  try {
    const file = nameIn(importsDirectory(runtime.config), given.get('FILE') ?? '')
    const asked = { origin, client: given.get('--cliente') ?? '', file }
    if (alone) await runtime.begin()
    const isWell = given.has('--simular')
      ? tellPlan(await lookAhead(runtime.services, asked), output)
      : tellWork(await endOf(runtime, { asked, alone }), output)
    if (!isWell) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new UsageError(refusalText(error))
  } finally {
    runtime.hands?.release()
    await runtime.close()
    leave?.()
  }
}

/** The name of a file in the directory of imports, which may be given with its whole path. */
function nameIn(directory: string, file: string): string {
  const path = resolve(directory, file)
  const name = relative(directory, path)
  if (name.startsWith('..')) throw new UsageError(`${path}: not in ${directory} (PANEL_IMPORTACIONES)`)
  if (!existsSync(path)) throw new UsageError(`${path}: no such file`)
  return name
}

type Work = { asked: AskedImport; alone: boolean }

/** The work, once it has ended. */
async function endOf({ services }: Runtime, { asked, alone }: Work): Promise<Job> {
  const find = await beginImport(services, asked)
  let job = await find()
  while (job.state === 'pendiente' || job.state === 'en_curso') {
    if (alone) await services.work.runDue()
    else await Bun.sleep(LOOK_MS)
    job = await find()
  }
  return job
}
