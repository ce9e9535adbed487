import { Link } from 'wouter'
import type { ItemOf } from '../../api/operations.ts'
import { clientPath } from '../../links.ts'
import { dateTime } from '../../text/format.ts'
import { Card } from '../../ui/page.tsx'
import { Glyph } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Clients = ItemOf<'GET /api/nodos'>['mayores_consumos']

/** Who takes more than a fair part of the node, or was held back; nothing where the node cannot tell. */
export function Heaviest({ clients }: { clients: Clients }) {
  if (clients === null) return null
  return (
    <Card title={texts.heaviestClients}>
      {clients.length === 0 ? (
        <p className="state tone-good">
          <Glyph tone="good" />
          {texts.noHeaviest}
        </p>
      ) : null}
      <ul className="watch">
        {clients.map(({ cliente, texto, rechazos }) => (
          <li key={cliente}>
            <Link className="mono" href={clientPath(cliente)}>
              {cliente}
            </Link>
            <span className="sub">
              {texto}
              {rechazos ? ` (${texts.countedSince} ${dateTime(rechazos.desde)})` : ''}
            </span>
          </li>
        ))}
      </ul>
      <p className="small faint">{texts.whoIsHeavy}</p>
    </Card>
  )
}
