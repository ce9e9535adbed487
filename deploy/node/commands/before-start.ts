import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../config.ts'
import { plainFault } from '../../http/errors.ts'
import { refuseStranger } from '../host/data-directory.ts'
import { nodeConfiguration } from '../runtime.ts'
import { runningLine, servingFrom } from '../services/presence.ts'

// For deploy/start, before it builds the interface: what `start` would refuse only afterwards.
try {
  const { dataDir } = nodeConfiguration(process.env).node
  const [running] = existsSync(dataDir) ? servingFrom(dataDir) : []
  if (running !== undefined) throw new ConfigError(runningLine(dataDir, running))
  refuseStranger(...['web', 'web/dist'].map((path) => resolve(path)).filter(existsSync))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : plainFault(error)}\n`)
  process.exit(2)
}
