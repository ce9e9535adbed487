/** Whether a password is nothing but a name that the account is known by, in whatever spelling, perhaps with digits. */
export function isOwnName(password: string, names: readonly (string | null)[]): boolean {
  const core = bare(password)
  return core !== '' && names.some((name) => name !== null && spellings(name).includes(core))
}

/** Letters and digits alone, without accents; a number at the end, which guesses try first, does not count. */
const bare = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/\p{N}+$/u, '')

/** A name whole, and the parts of an address or a domain: `ana@pan.example` is `ana`, `pan` and `pan.example` too. */
function spellings(name: string): string[] {
  const parts = name.split('@').flatMap((side) => runs(side.split('.')))
  return [name, ...parts].map(bare).filter((spelling) => spelling !== '')
}

/** Every run of neighbouring labels. */
const runs = (labels: string[]): string[] =>
  labels.flatMap((_, from) =>
    labels.slice(from).map((_, more) => labels.slice(from, from + more + 1).join('.')),
  )
