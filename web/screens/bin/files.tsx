import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import { filesBinPath } from '../../links.ts'
import { Card } from '../../ui/page.tsx'
import { texts } from './texts.ts'

const MOST = '50'

/** Where deleted files are: in the bin of the site that they were deleted from. */
export function FileBins() {
  const sites = usePages('GET /api/sitios', { query: { limite: MOST } })
  if (sites.rows.length === 0) return null
  return (
    <Card title={texts.files}>
      <p className="faint small">{texts.whereFilesAre}</p>
      <ul className="bullets">
        {sites.rows.map(({ domain, domain_unicode }) => (
          <li key={domain}>
            <Link href={filesBinPath(domain)}>{domain_unicode}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
