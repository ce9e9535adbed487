/** What all copies were kept under before they told whose they are. */
export const NOBODY = 'panel'

/** A name that copies of a node are kept under: the node, and what tells its panel from all others. */
export const ownerName = (node: string, mark: string) => `${node}.${mark}`

/** The first of these names that is another panel's; several nodes of one panel can keep theirs in one place. */
export function decideOwner(kept: string[], owner: string): string | null {
  const markOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)
  return kept.find((name) => name !== NOBODY && markOf(name) !== markOf(owner)) ?? null
}
