#!/usr/bin/env bun
import { NewerSchemaError } from '../../lib/migrate.ts'
import { rootMessage } from '../../lib/root-message.ts'
import { ConfigError } from '../config.ts'
import { faultLine } from './commands/fault.ts'
import { outputFor, typed, UsageError } from './commands/output.ts'
import { log } from './log.ts'

// What a file of ours does not need to be is closed to others from its first moment.
process.umask(0o077)

const usage = () => `usage: ${typed('COMMAND [--json]')}
  start                         serve the panel (--dejar-servicios leaves its services running at the end)
  admin invitar --correo X      a link for a further admin, or a reset link for an existing one
  doctor                        check every service and say what to do
  backup FILE                   a consistent copy of the database
  restore FILE                  put a backup in its place (--misma-identidad keeps tokens and sessions)
  papelera                      deleted files: lista, restaurar ID [--sitio X], purgar ID
  claves rotar                  seal the stored secrets under a new key
  nodo [renombrar NAME]         this node's name; rename it with all that stands under it
  cron [NAME]                   list the scheduled handlers, or run one now`

/** Each command is loaded when it is called: `panel cron` need not read what only the server needs. */
async function main([command = '', ...args]: string[]): Promise<void> {
  const output = outputFor(args)
  switch (command) {
    case 'start':
      return (await import('./commands/start.ts')).start(args, output)
    case 'admin':
      return (await import('./commands/admin.ts')).admin(args, output)
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctor(output)
    case 'backup':
      return (await import('./commands/backup.ts')).backup(args, output)
    case 'restore':
      return (await import('./commands/backup.ts')).restore(args, output)
    case 'papelera':
      return (await import('./commands/trash.ts')).trash(args, output)
    case 'claves':
      return (await import('./commands/keys.ts')).keys(args, output)
    case 'nodo':
      return (await import('./commands/node.ts')).node(args, output)
    case 'cron':
      return (await import('./commands/cron.ts')).cron(args, output)
    default:
      throw new UsageError(usage())
  }
}

// What nobody waits for is told in one line as well; it ends a command, and no panel that serves.
const stray = (error: unknown) => (process.argv[2] === 'start' ? tell(error) : end(error))
process.on('uncaughtException', stray)
process.on('unhandledRejection', stray)
await main(process.argv.slice(2)).catch(end)

function tell(error: unknown): void {
  const command = process.argv[2] ?? ''
  // What a serving panel writes here is its log, which has the text of a library as well.
  if (command === 'start') log('error', 'panel fault', { motivo: rootMessage(error) })
  process.stderr.write(`${faultLine(command, error)}\n`)
}

function end(error: unknown): never {
  const known =
    error instanceof UsageError || error instanceof ConfigError || error instanceof NewerSchemaError
  if (known) process.stderr.write(`${error.message}\n`)
  else tell(error)
  process.exit(known ? 2 : 1)
}
