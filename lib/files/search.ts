/** As a person compares names: letters in either case, and accents composed or not. */
const folded = (text: string) => text.normalize('NFC').toLowerCase()

/** Whether a name contains a text. */
export const hasInName = (name: string, text: string): boolean => folded(name).includes(folded(text))
