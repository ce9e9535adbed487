const HALF = 2 ** 31
const WHOLE = 2 ** 32

/**
 * The next serial of a zone: YYYYMMDDnn of today (RFC 1912 section 2.2) where that is ahead of the last
 * one, else the last one and one more. It only ever grows in the sense of RFC 1982, also after more than
 * 99 changes in a day and when the clock goes back.
 */
export function nextSerial(last: number | null, now: Date): number {
  const today = dated(now)
  if (last === null) return today
  return isSerialAhead(today, last) ? today : (last + 1) % WHOLE
}

/** Whether `serial` is newer than `other` by RFC 1982 serial number arithmetic of 32 bits. */
export function isSerialAhead(serial: number, other: number): boolean {
  const distance = (serial - other + WHOLE) % WHOLE
  return distance > 0 && distance < HALF
}

function dated(now: Date): number {
  const day = now.getUTCFullYear() * 10_000 + (now.getUTCMonth() + 1) * 100 + now.getUTCDate()
  return (day * 100 + 1) % WHOLE
}
