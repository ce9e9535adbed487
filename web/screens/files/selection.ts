/** What is chosen in a list of names; `active` is where the keyboard is, `anchor` where a range begins. */
export type Selection = {
  active: string | null
  anchor: string | null
  chosen: ReadonlySet<string>
}

export const NOTHING: Selection = { active: null, anchor: null, chosen: new Set() }

/** All of them, or none where all were. */
export const everything = (selection: Selection, names: readonly string[]): Selection => ({
  ...selection,
  chosen: new Set(selection.chosen.size === names.length ? [] : names),
})

/** With Shift a range, with Ctrl or Cmd one more or one less. */
type How = { shift: boolean; ctrl: boolean }

export const only = (name: string): Selection => ({ active: name, anchor: name, chosen: new Set([name]) })

export function toggled(selection: Selection, name: string): Selection {
  const chosen = new Set(selection.chosen)
  if (!chosen.delete(name)) chosen.add(name)
  return { active: name, anchor: name, chosen }
}

/** A click beside a name, or a move of the keyboard to it. */
export function picked(
  selection: Selection,
  names: readonly string[],
  to: { name: string } & How,
): Selection {
  const { name, shift, ctrl } = to
  if (shift) return ranged(selection, names, name)
  return ctrl ? toggled(selection, name) : only(name)
}

function ranged(selection: Selection, names: readonly string[], name: string): Selection {
  const anchor = selection.anchor ?? selection.active ?? name
  const [from, to] = [names.indexOf(anchor), names.indexOf(name)].sort((a, b) => a - b)
  if (from === undefined || to === undefined || from < 0) return only(name)
  return { active: name, anchor, chosen: new Set(names.slice(from, to + 1)) }
}

type Key = How & { key: string; page: number }

/** What a key makes of it; null for a key that does not choose. */
export function pressed(selection: Selection, names: readonly string[], pressed: Key): Selection | null {
  const { key, shift, ctrl } = pressed
  if (names.length === 0) return null
  if (ctrl && key.toLowerCase() === 'a') return { ...selection, chosen: new Set(names) }
  if (key === 'Escape' && selection.chosen.size > 0) return { ...selection, chosen: new Set() }
  if (key === ' ') return selection.active === null ? null : toggled(selection, selection.active)
  const at = selection.active === null ? -1 : names.indexOf(selection.active)
  const to = target(at, names.length, pressed)
  const name = to === null ? undefined : names[to]
  if (name === undefined) return null
  // Ctrl moves the keyboard and leaves what is chosen.
  if (ctrl && !shift) return { ...selection, active: name }
  return picked(selection, names, { name, shift, ctrl: false })
}

function target(at: number, count: number, { key, page }: Key): number | null {
  const within = (index: number) => Math.min(count - 1, Math.max(0, index))
  if (key === 'ArrowDown') return within(at + 1)
  if (key === 'ArrowUp') return within(at - 1)
  if (key === 'PageDown') return within(at + page)
  if (key === 'PageUp') return within(at - page)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}
