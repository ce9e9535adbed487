import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../../../lib/endpoint/node-port.ts'
import {
  type DesiredPage,
  type DesiredPages,
  PAGE_KINDS,
  type PageKind,
} from '../../../../lib/endpoint/ports/pages.ts'
import type { Layout } from '../../files/layout.ts'
import { exists, writeWhole } from '../../host/files.ts'
import { waitUntil } from '../../services/process.ts'
import { operatorPage } from './operator.ts'
import { MISSING_PAGE, PLACEHOLDER_PAGE, SUSPENDED_PAGE } from './own.ts'

const OWN: Record<PageKind, string> = {
  placeholder: PLACEHOLDER_PAGE,
  suspended: SUSPENDED_PAGE,
  missing: MISSING_PAGE,
}
const TAKEN_OVER_MS = 10_000

/** Files that nginx reads at each request, so that a change needs no reload. */
export const pageFile = ({ nginx }: Layout, kind: PageKind): string => join(nginx, `${kind}.html`)

/** Puts the panel's own pages where there are none: what was shown last stays until the database is asked. */
export function ensurePages(layout: Layout): void {
  for (const kind of PAGE_KINDS) if (!exists(pageFile(layout, kind))) write(layout, kind, OWN[kind])
}

/** Whether these pages are the ones that are shown. */
export const hasPage = (layout: Layout, kind: PageKind, page: DesiredPage | null): boolean =>
  isWritten(pageFile(layout, kind), contentOf(kind, page))

type Means = {
  layout: Layout
  /** The page that the web server answers with to a name of no site; null where there is no answer. */
  asked: () => Promise<string | null>
}

/** Shows these pages. Ends once the web server answers with them; throws where it does not. */
export async function showPages({ layout, asked }: Means, pages: DesiredPages, step: Step): Promise<void> {
  await step('pages.write', async () => {
    for (const kind of PAGE_KINDS)
      if (!hasPage(layout, kind, pages[kind])) write(layout, kind, contentOf(kind, pages[kind]))
  })
  await step('pages.shown', async () => {
    const wanted = contentOf('missing', pages.missing)
    const isShown = async () => (await asked()) === wanted
    if (!(await waitUntil(isShown, { timeoutMs: TAKEN_OVER_MS, everyMs: 100 })))
      throw new Error('the web server does not answer with its pages')
  })
}

const contentOf = (kind: PageKind, page: DesiredPage | null): string =>
  page === null ? OWN[kind] : operatorPage(page)

const write = (layout: Layout, kind: PageKind, content: string): void =>
  writeWhole({ path: pageFile(layout, kind), content, mode: 0o644 }, layout.temporary)

function isWritten(path: string, content: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && readFileSync(path, 'utf8') === content
}
