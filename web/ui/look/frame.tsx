import type { ReactNode } from 'react'
import { Icon } from '../icons.tsx'

/**
 * The frame of the panel with nothing in it yet. web/build.ts also writes it into the page itself, so that it stands
 * before any script has run; so it shows neither a text nor the mark, which are the reader's and the operator's.
 */
export function EmptyFrame({ children }: { children: ReactNode }) {
  return (
    <div className="shell is-empty">
      <aside className="side" aria-hidden="true" />
      <div className="body">
        <section className="top" aria-hidden="true">
          <span className="menu-button">
            <Icon name="menu" />
          </span>
          <span className="crumbs">{'\u00a0'}</span>
          <span className="search-button">
            <Icon name="search" size={14} />
          </span>
        </section>
        <main className="main">{children}</main>
      </div>
    </div>
  )
}
