import { placeWords } from '../../../text/places.ts'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'

/** Where names lead, as recursive resolvers tell. */
export function SeenNames({ names }: { names: NonNullable<Summary['nombres']> }) {
  return (
    <ul className="watch" aria-live="polite">
      {names.map(({ nombre, estado, visto }) => {
        const { tone, label } = placeWords(estado)
        return (
          <li key={nombre}>
            <span className={`state tone-${tone}`}>
              <Glyph tone={tone} />
              <code>{nombre}</code> {label}
            </span>
            {visto.length > 0 ? <span className="sub mono">{visto.join(', ')}</span> : null}
          </li>
        )
      })}
    </ul>
  )
}
