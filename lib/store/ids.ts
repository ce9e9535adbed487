const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: 48 bits of time, 80 of randomness, in Crockford's base32; sorts by time. */
export function ulid(now: Date, random: (bytes: number) => Uint8Array): string {
  let time = now.getTime()
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD[time % 32] + text
    time = Math.floor(time / 32)
  }
  const noise = random(16)
  for (let i = 0; i < 16; i++) text += CROCKFORD[(noise[i] ?? 0) % 32]
  return text
}

/** The time that a ULID, or an id that begins with one, was made at. */
export const timeOf = (id: string): Date =>
  new Date([...id.slice(0, 10)].reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0))
