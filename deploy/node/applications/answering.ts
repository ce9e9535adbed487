import { codeOf, refusalOf } from '../../../lib/applications/errors.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { ApplicationPlace } from '../../../lib/endpoint/ports/applications.ts'
import { ProgramFailed } from '../customer-files/programs.ts'
import { askApplication, runProgram } from './programs.ts'
import { type Means, servedOf, stagingOf } from './unpack.ts'

type Changing = { node: Means; at: ApplicationPlace; wanted: { id: string; url: string } }

/** Whether the application makes its front page, with all that extends it. */
export async function isAnswering({ node, at, wanted }: Changing): Promise<boolean> {
  try {
    const asked = { verb: 'check', folder: servedOf(at), url: wanted.url }
    const { good, why } = await askApplication(node, { at }, asked)
    // What the application told itself may be of any length.
    if (good !== true) node.log(`${at.domain} does not answer: ${String(why).slice(0, 300)}`)
    return good === true
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    node.log(`${at.domain} does not answer: ${error.said}`)
    return false
  }
}

/** Notes beside the site why a change is taken back, so that the panel's next start does that too. */
export async function noteFault({ node, at, wanted }: Changing, error: unknown): Promise<AppError> {
  const told = error instanceof AppError ? error : refusalOf('aplicacion_no_responde')
  if (told !== error) node.log(error instanceof ProgramFailed ? error.said : String(error))
  const aside = stagingOf(at, wanted.id)
  try {
    await runProgram(node, { at }, { argv: ['/usr/bin/mkdir', '-p', '--', aside] })
    const content = { code: codeOf(told) }
    await askApplication(node, { at }, { verb: 'note', aside, name: 'failed', content, folder: '' })
  } catch (reason) {
    // As where there is no room left: it is taken back all the same.
    node.log(String(reason))
  }
  return told
}
