import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { appearance, nameOf } from '../../api/appearance.ts'
import { Icon } from '../../ui/icons.tsx'
import { Brand } from '../../ui/look/brand.tsx'
import { LanguageButton, SchemeButton } from '../../ui/look/taste.tsx'

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
  const name = nameOf(appearance.use())
  useEffect(() => {
    if (!over) document.title = `${title} · ${name}`
  }, [title, over, name])
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
          <Brand />
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
