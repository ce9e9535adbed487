import { Link } from 'wouter'
import { filesPath } from '../../links.ts'
import { Icon } from '../../ui/icons.tsx'
import { nameOf, shownName, wayTo } from './paths.ts'
import { texts } from './texts.ts'

/** The folders from the site's own to the one that is shown. */
export function FolderCrumbs({ domain, path }: { domain: string; path: string }) {
  const way = wayTo(path)
  return (
    <nav className="file-crumbs" aria-label={texts.wayHere}>
      <ol>
        {way.map((folder) => (
          <li key={folder}>
            {folder === '/' ? null : <Icon name="chevron" size={12} />}
            <Link href={filesPath(domain, folder)} aria-current={folder === path ? 'page' : undefined}>
              <bdi>{folder === '/' ? texts.siteFolder : shownName(nameOf(folder))}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
