import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Icon, Mark } from '../../ui/icons.tsx'
import { LanguageButton, SchemeButton } from '../../ui/taste.tsx'

/** Whether the steps of a sign-in are shown over a screen instead of as a page. */
export const OverScreen = createContext(false)

/** The frame of the pages outside: one column, the mark, and the two choices of taste. */
export function Entrance({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  const over = useContext(OverScreen)
  useEffect(() => {
    if (!over) document.title = `${title} · Panel`
  }, [title, over])
  if (over) {
    return (
      <>
        {lead ? <p className="lead">{lead}</p> : null}
        {children}
      </>
    )
  }
  return (
    <div className="entrance">
      <header>
        <span className="brand">
          <Mark />
          Panel
        </span>
        <span className="taste">
          <LanguageButton />
          <SchemeButton />
        </span>
      </header>
      <main>
        <div className="entrance-card">
          <h1>{title}</h1>
          {lead ? <p className="lead">{lead}</p> : null}
          {children}
        </div>
        <p className="host">
          <Icon name="lock" size={14} /> {location.host}
        </p>
      </main>
    </div>
  )
}
