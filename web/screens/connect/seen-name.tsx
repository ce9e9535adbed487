import type { PLACES } from '../../../schema/states.ts'
import { placeWords } from '../../text/places.ts'
import { Glyph } from '../../ui/state.tsx'

type Seen = { nombre: string; estado: (typeof PLACES)[number]; visto: string[] }

/** Where a name leads, as recursive resolvers tell; an item of a list. */
export function SeenName({ seen: { nombre, estado, visto } }: { seen: Seen }) {
  const { tone, label } = placeWords(estado)
  return (
    <li>
      <span className={`state tone-${tone}`}>
        <Glyph tone={tone} />
        <span>
          <code>{nombre}</code> {label}
        </span>
      </span>
      {visto.length > 0 ? <span className="sub mono">{visto.join(', ')}</span> : null}
    </li>
  )
}
