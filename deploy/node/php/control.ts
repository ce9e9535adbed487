import { connect } from 'node:net'
import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { hasCode } from '../host/files.ts'

const ANSWER_MS = 20_000
/** A killed keeper is started again well within this time. */
const RETURN_MS = 5_000
const AGAIN_MS = 50

/**
 * Gives the keeper of PHP a command, see `obey` in keeper/control.pl, and waits until it is done; false where no keeper
 * runs. Throws with the keeper's reason when it refuses.
 */
export async function tellKeeper(layout: Layout, command: string): Promise<boolean> {
  const end = performance.now() + RETURN_MS
  for (;;) {
    try {
      const answer = await ask(join(layout.run, 'control.s'), command)
      if (answer.startsWith('ok')) return true
      if (answer !== '') throw new Error(`PHP's keeper: ${answer}`)
      // It ended meanwhile.
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false
      if (!hasCode(error, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE')) throw error
    }
    if (performance.now() > end) return false
    await Bun.sleep(AGAIN_MS)
  }
}

/** Whether it answers now. */
export async function keeperAnswers(layout: Layout): Promise<boolean> {
  return (await ask(join(layout.run, 'control.s'), 'ping')).startsWith('ok')
}

/**
 * Sends a command that the keeper answers much later; null if no keeper runs. Closing the connection says that nobody
 * waits any more.
 */
export async function openControl(layout: Layout, command: string) {
  const socket = connect(join(layout.run, 'control.s'))
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (part) => {
      text += part.toString()
    })
    socket.on('close', () => resolve(text.trim()))
  })
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
  if (!connected) return null
  socket.write(`${command}\n`)
  return { answer, stop: () => void socket.write('stop\n') }
}

function ask(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${command}\n`))
    let answer = ''
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('PHP’s keeper does not answer')))
    socket.on('data', (part) => {
      answer += part.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.trim()))
  })
}
