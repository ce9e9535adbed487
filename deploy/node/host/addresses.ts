import { networkInterfaces } from 'node:os'

/** Every address of this machine's interfaces. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
}
