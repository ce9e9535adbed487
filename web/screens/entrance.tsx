import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { t } from '../i18n/language.ts'
import { Icon, Mark } from '../ui/icons.tsx'
import { LanguageButton, SchemeButton } from '../ui/taste.tsx'

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
  useEffect(() => {
    document.title = `${title} · Panel`
  }, [title])
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

/** Back to the step before. */
export function Back({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={t('Back', 'Atrás')}>
      <Icon name="undo" />
    </ActionIcon>
  )
}
