import { Note } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

/** That the source which the operator named has a newer version; nothing otherwise. */
export function Newer({ release }: { release: Summary['actualizacion'] }) {
  if (release === null) return null
  return (
    <Note tone="info">
      {texts.newerVersion(release.version, release.actual)}{' '}
      {release.url === null ? null : (
        <a href={release.url} rel="noreferrer" target="_blank">
          {texts.whatIsNew}
        </a>
      )}
    </Note>
  )
}
