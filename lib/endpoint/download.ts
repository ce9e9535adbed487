import * as v from 'valibot'

/** A body of bytes, sent as they come. */
export const bytesShape = v.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream)

/** `Content-Disposition` of a download: a browser keeps it and never shows it in the panel's origin (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`

/** What RFC 8187 does not let stand as it is. */
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
