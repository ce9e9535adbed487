import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { SideSheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Glyph } from '../../ui/state.tsx'
import { attention } from './attention.ts'
import { texts } from './texts.ts'

const LOOK_MS = 60_000

/** On every screen of an operator: how much needs somebody, and what. */
export function AttentionCentre() {
  const [opened, setOpened] = useState(false)
  const summary = useRead('GET /api/resumen', {}, { again: () => LOOK_MS })
  const matters = summary.data ? attention(summary.data) : []
  const name = summary.data ? texts.button(matters.length) : texts.title
  const close = () => setOpened(false)
  return (
    <>
      <ActionIcon
        className="attention"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={name}
        title={name}
        onClick={() => setOpened(true)}
      >
        <Icon name="bell" />
        {matters.length > 0 ? (
          <span className={`attention-count ${matters[0]?.tone === 'bad' ? 'is-bad' : ''}`}>
            {matters.length}
          </span>
        ) : null}
      </ActionIcon>
      <SideSheet title={texts.title} opened={opened} close={close} size="24rem">
        {summary.error ? (
          <ErrorNote error={summary.error} retry={() => void summary.refetch()} />
        ) : matters.length === 0 ? (
          <p className="state tone-good">
            <Glyph tone="good" />
            {texts.nothing}
          </p>
        ) : (
          <ul className="watch">
            {matters.map(({ tone, words, href }) => (
              <li key={words} className={`state tone-${tone}`}>
                <Glyph tone={tone} />
                <Link href={href} onClick={close}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </SideSheet>
    </>
  )
}
