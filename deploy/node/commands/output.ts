/** How a command speaks: one JSON line with `--json`, else lines for a person. */
export type Output = { line(json: unknown, text: string[]): void }

/** The output that was asked for. */
export function outputFor(json: boolean): Output {
  return {
    line(value, text) {
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text.join('\n')}\n`)
    },
  }
}

/** A command as whoever reads this would type it: the wrapper that called tells its own name. */
export function typed(words: string): string {
  return `${process.env.PANEL_COMMAND || 'sh deploy/panel'} ${words}`
}

/** What starts the panel on this machine. */
export function startCommand(): string {
  return process.env.PANEL_COMMAND ? `systemctl start ${process.env.PANEL_COMMAND}` : 'sh deploy/start'
}

/** What the settings for tests do while they are on. */
export function testAdvice(testClock: string | null): string {
  const clock = testClock === null ? '' : `, and its clock is moved by what ${testClock} says`
  return `PANEL_TEST=1 is for tests only: providers may have private addresses, Debian's own services are left running${clock}. Remove it where customers are served`
}

/** A mistake of whoever typed the command; ends it with what is said here and status 2. */
export class UsageError extends Error {}
