import { Link } from 'wouter'
import { clientPath } from '../links.ts'
import { Nothing } from './page.tsx'

/** A client by its name, leading to its page. */
export function ClientLink({ client }: { client: string | null }) {
  if (client === null) return <Nothing />
  return (
    <Link className="mono client-link" href={clientPath(client)}>
      {client}
    </Link>
  )
}
