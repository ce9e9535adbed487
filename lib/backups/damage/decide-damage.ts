import type { CopyPart } from '../../../schema/tables.ts'
import type { Copy } from '../decide.ts'

/** Which snapshots do not read back, by the beginnings of their ids; with `all`, every other one does. */
export type Found = { broken: string[]; all: boolean }

type Kept = Pick<Copy, 'parts' | 'state'>

/** What a copy is once that is known; null where it is that already. One that lacked something before goes on to. */
export function decideDamage({ parts, state }: Kept, { broken, all }: Found): Kept | null {
  if (state === 'en_curso') return null
  const isBroken = (id: string | null) =>
    id !== null && broken.some((one) => id.startsWith(one) || one.startsWith(id))
  const now = parts.map((part): CopyPart => {
    const { damaged: before = false, ...rest } = part
    const damaged = isBroken(part.snapshot) || isBroken(part.index) || (before && !all)
    if (damaged === before) return part
    return damaged ? { ...rest, damaged } : rest
  })
  if (now.every((part, at) => part === parts[at])) return null
  if (state === 'incompleta') return { parts: now, state }
  return { parts: now, state: now.some(({ damaged }) => damaged) ? 'danada' : 'completa' }
}
