/** One character of UTF-8 as an address has it: a lead byte with as many further bytes as it announces. */
const CHARACTER =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi

/** What would read as something else: what divides an address, what is invisible, and what turns the line around. */
const UNCLEAR = /[%/?#&=+\\]|\p{C}|(?! )\p{Z}/u

/** An address as a person reads it: `%C3%B1` as `ñ`. What is no UTF-8 and what could deceive stays as it was sent. */
export const shownAddress = (address: string): string =>
  address.replace(CHARACTER, (encoded) => {
    const decoded = decodedOf(encoded)
    return decoded === null || UNCLEAR.test(decoded) ? encoded : decoded
  })

/** A message of PHP, whose files are named from the site's folder: where that lies on the server is of no use there. */
export const shownMessage = (text: string): string => text.replace(/\/[^\s:'"]*?\/c\/\d+\/\d+(?=\/)/g, '')

function decodedOf(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
