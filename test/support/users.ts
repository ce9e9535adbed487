import { readFileSync } from 'node:fs'
import { freePort } from './ports.ts'

/** How many Unix users a panel under test may make. */
export const USERS = 1_000

/** Whether no user is left there by a test that was killed, or by a panel that was stopped with its clients. */
export function isRangeFree(uidBase: number): boolean {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .every((line) => {
      const uid = Number(line.split(':')[2])
      return !(uid >= uidBase && uid < uidBase + USERS)
    })
}

/** A port for a panel's web server, by which under test its users are numbered (deploy/node/driver.ts). */
export async function portOfFreeRange(): Promise<number> {
  let port = await freePort()
  while (!isRangeFree(300_000 + port * USERS)) port = await freePort()
  return port
}
