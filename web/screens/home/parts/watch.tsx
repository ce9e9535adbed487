import type { ReactNode } from 'react'
import { Card } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'

/** A list of what needs somebody; empty, it says that nothing does. */
export function Watch({
  title,
  items,
  fine,
  more,
}: {
  title: string
  items: { key: string; content: ReactNode }[]
  fine: string
  more?: ReactNode
}) {
  return (
    <Card title={title}>
      {items.length === 0 ? (
        <p className="state tone-good">
          <Glyph tone="good" />
          {fine}
        </p>
      ) : null}
      <ul className="watch">
        {items.map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
      </ul>
      {more ? <p className="small">{more}</p> : null}
    </Card>
  )
}
