import * as v from 'valibot'
import { refuseRepeatedKeys } from '../text/json-keys.ts'
import { AppError } from './errors.ts'

/** Largest body that is read, in bytes (docs/api.md, "Bodies"). */
export const MAX_BODY_BYTES = 256 * 1024
/** The same of a request that needs no bearer: whoever can connect may have it held until its end comes. */
export const MAX_OPEN_BODY_BYTES = 16 * 1024
const MAX_DEPTH = 20

/** One JSON value, at most 20 levels deep, no key given twice; anything else is 400 `json_invalido`. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new AppError('json_invalido')
  }
  refuseRepeatedKeys(text, MAX_DEPTH)
  return value
}

/** Refuses a media type other than the expected one; parameters (charset) are ignored. */
export function requireMediaType(contentType: string | null, expected: string): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== expected) throw new AppError('tipo_no_admitido')
}

/** A body that is a stream of bytes, passed on as it is. */
export const bytesShape = v.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream)

/** `Content-Disposition` of a download: a browser keeps it and never shows it in the panel's origin (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`

/** Percent-encodes a character that RFC 8187 does not allow literally. */
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
