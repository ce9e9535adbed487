#!/usr/bin/env bun
import { NewerSchemaError } from '../../lib/migrate.ts'
import { rootMessage } from '../../lib/root-message.ts'
import { ConfigError } from '../config.ts'
import { faultLine } from './commands/fault.ts'
import { COMMANDS } from './commands/index.ts'
import { outputFor, UsageError } from './commands/output.ts'
import { readWords } from './commands/words.ts'
import { log } from './log.ts'

// What a file of ours does not need to be is closed to others from its first moment.
process.umask(0o077)

async function main(args: string[]): Promise<void> {
  const wanted = readWords(COMMANDS, args)
  if ('help' in wanted) return void process.stdout.write(`${wanted.help}\n`)
  await wanted.form.run(wanted.given, outputFor(wanted.json))
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
