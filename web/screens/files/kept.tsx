import { Link } from 'wouter'
import { filesPath } from '../../links.ts'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

/** Says of a folder that only the node writes into why nothing is offered there, and where to go. */
export function Kept({ domain, path, served }: { domain: string; path: string; served: string }) {
  return (
    <Note tone="info" title={path === '/' ? texts.keptRoot : texts.keptLogs}>
      <p>
        <Link href={filesPath(domain)}>{texts.openServed(served.slice(1))}</Link>
      </p>
    </Note>
  )
}
