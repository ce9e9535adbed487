import type { Recovered } from '../../../../lib/backups/recover.ts'
import { counted } from '../../../../lib/text/words.ts'
import { type Output, startCommand } from '../../commands/output.ts'

type Told = {
  found: Recovered
  when: string
  unreadable: string[]
  missing: string[]
  simulated: boolean
  /** The name that the panel was reached by, where this machine has another. */
  host: string | null
}

/** What was recovered, and what an operator has to do now. */
export function tellRecovered(output: Output, told: Told): void {
  const { found, when, unreadable, missing, simulated, host } = told
  const { node, clients, parts, without, suspended } = found
  const list = (names: string[]) => names.join(', ')
  output.line(
    {
      simulado: simulated,
      nodo: node,
      copia: when,
      ilegibles: unreadable,
      clientes: clients,
      partes: parts,
      sin_copia: without,
      suspendidos: suspended,
      faltan: missing,
      host,
    },
    [
      `${simulated ? 'This would recover' : 'Recovered'} the node ${node} as of ${when}: ${counted(clients, 'client')}.`,
      ...(unreadable.length > 0
        ? [`Later copies of the node that could not be read: ${list(unreadable)}`]
        : []),
      `${counted(parts, 'site or database', 'sites and databases')} will be restored once the panel is started: ${startCommand()}`,
      ...(without.length > 0 ? [`Sites and databases that no copy has: ${list(without)}`] : []),
      ...missing.map((one) => `Missing in the destination: ${one}`),
      ...(suspended.length > 0
        ? [`Suspended, and restored once they are activated: ${list(suspended)}`]
        : []),
      'Tokens and sessions work as at the copy; the old machine must not run any more.',
      'Set PANEL_IPS (and PANEL_NS) to those of this machine before the start.',
      ...(host === null ? [] : [hostAdvice(host)]),
    ],
  )
}

const hostAdvice = (host: string) =>
  `The lost panel was reached as ${host}: its certificate, links and passkeys are for that name. Set PANEL_HOST=${host} before the start, and point the name at this machine.`
