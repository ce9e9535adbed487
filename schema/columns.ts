import { customType, integer } from 'drizzle-orm/sqlite-core'

/** An instant, kept as integer milliseconds since the epoch. */
export const instant = (name: string) => integer(name, { mode: 'timestamp_ms' })

/** Binary data, such as a hash. Drivers answer an ArrayBuffer or a Uint8Array, this type always the latter. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array | ArrayBuffer }>({
  dataType: () => 'blob',
  fromDriver: (value) => (value instanceof Uint8Array ? value : new Uint8Array(value)),
})
