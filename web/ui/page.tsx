import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { appearance, nameOf } from '../api/appearance.ts'
import type { ApiError } from '../api/errors.ts'
import type { Operation } from '../api/operations.ts'
import { createStore } from '../api/store.ts'
import { ErrorNote } from './error-note.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useArrived } from './lists/steps.ts'
import { Wire } from './look/wire.tsx'
import { texts } from './texts.ts'

/** The title of the screen that is shown; empty between two. */
export const screenTitle = createStore('')

/** The head of a screen: its title, the operation that it shows, and what can be done there. */
export function PageHead({
  title,
  mono = false,
  wire,
  lead,
  children,
}: {
  title: string
  mono?: boolean
  wire?: Operation | string
  lead?: ReactNode
  children?: ReactNode
}) {
  const name = nameOf(appearance.use())
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  useEffect(() => {
    screenTitle.set(title)
    return () => screenTitle.set('')
  }, [title])
  return (
    <header className="page-head">
      <div className="page-title">
        <h1 className={mono ? 'mono' : undefined}>{title}</h1>
        {wire ? <Wire op={wire} /> : null}
        {lead ? <div className="lead">{lead}</div> : null}
      </div>
      {children ? <div className="actions">{children}</div> : null}
    </header>
  )
}

export function Card({
  title,
  actions,
  wire,
  children,
  flush = false,
}: {
  title?: ReactNode
  actions?: ReactNode
  wire?: string
  children: ReactNode
  flush?: boolean
}) {
  return (
    <section className={flush ? 'card card-flush' : 'card'}>
      {title ? (
        <div className="card-head">
          <h2>{title}</h2>
          {wire ? <Wire op={wire} /> : null}
          {actions ? <div className="actions">{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  )
}

/** What few look for: drawn once it is asked for, and kept from then on. */
export function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [seen, setSeen] = useState(false)
  return (
    <details className="folded" onToggle={(event) => setSeen(seen || event.currentTarget.open)}>
      <summary>{title}</summary>
      {seen ? children : null}
    </details>
  )
}

/** Names and values in two columns. */
export function Facts({ items }: { items: [ReactNode, ReactNode][] }) {
  return (
    <dl className="facts">
      {items.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one list never change their order
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value ?? <Nothing />}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A value that is not there. */
export const Nothing = () => <span className="faint">—</span>

/** Nothing to show, and what to do about it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} size={22} />
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** Grey lines while something is being read. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">{texts.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content
        <i key={index} />
      ))}
    </div>
  )
}

/** What a read gives once it is there; before that the wait, and an error with a way to repeat it. */
export function Loaded<T>({
  of,
  lines,
  children,
}: {
  of: UseQueryResult<T, ApiError>
  lines?: number
  children: (data: T) => ReactNode
}) {
  const drawn = useArrived(of.data !== undefined)
  if (drawn && of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  return <Waiting {...(lines ? { lines } : {})} />
}

/** Tabs that are addresses: they can be linked to, and the browser's buttons work. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: { id: string; href: string; label: string }[]
  current: string
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ id, href, label }) => (
        <Link key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
