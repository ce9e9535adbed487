#!/usr/bin/env bun
import { NewerSchemaError } from '../../lib/store/migrate.ts'
import { rootMessage } from '../../lib/text/root-message.ts'
import { ConfigError } from '../config.ts'
import { faultLine } from './commands/fault.ts'
import { COMMANDS } from './commands/index.ts'
import { outputFor, UsageError } from './commands/output.ts'
import { readWords } from './commands/words.ts'
import { logOf } from './logs/own.ts'

// Files of the panel are closed to others from their first moment.
process.umask(0o077)

async function main(args: string[]): Promise<void> {
  const wanted = readWords(COMMANDS, args)
  if ('help' in wanted) return void process.stdout.write(`${wanted.help}\n`)
  await wanted.form.run(wanted.given, outputFor(wanted.json))
}

// A rejection that nobody awaits is also reported in one line; it ends a command, but not a panel that serves.
const stray = (error: unknown) => (process.argv[2] === 'start' ? tell(error) : end(error))
process.on('uncaughtException', stray)
process.on('unhandledRejection', stray)
await main(process.argv.slice(2)).catch(end)

function tell(error: unknown): void {
  const command = process.argv[2] ?? ''
  // The standard error of a serving panel is its log, which contains the library's text as well.
  if (command === 'start') logOf(process.env)('error', 'panel fault', { reason: rootMessage(error) })
  process.stderr.write(`${faultLine(command, error)}\n`)
}

function end(error: unknown): never {
  const known =
    error instanceof UsageError || error instanceof ConfigError || error instanceof NewerSchemaError
  if (known) process.stderr.write(`${error.message}\n`)
  else tell(error)
  process.exit(known ? 2 : 1)
}
