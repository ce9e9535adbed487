import { Link } from 'wouter'
import { clientPath } from '../../../links.ts'
import { common } from '../../../text/common.ts'
import { exactTime, relative } from '../../../text/format.ts'
import { operationWords } from '../../../text/tasks.ts'
import { Card } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'
import { kindName, objectName } from '../../audit/parts.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

type Entry = Summary['actividad'][number]

/** The last that was done, and by whom. */
export function Activity({ entries }: { entries: Entry[] }) {
  return (
    <Card title={texts.activity} actions={<Link href="/panel/auditoria">{common.auditTrail}</Link>}>
      <ul className="watch activity">
        {entries.map((entry) => (
          <li key={entry.id}>
            <span className="state">
              <Glyph tone={toneOf(entry)} />
              <span className="strong">{operationWords(entry.operacion, entry.resultado)}</span>
            </span>
            <span className="faint">
              <About entry={entry} />
            </span>
            <time className="faint" dateTime={entry.cuando} title={exactTime(entry.cuando)}>
              {relative(entry.cuando)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const toneOf = ({ resultado }: Entry) =>
  resultado === 'hecho' ? 'good' : resultado === 'pedido' ? 'warn' : 'bad'

/** Which client or object, and who. */
function About({ entry }: { entry: Entry }) {
  const { cliente, actor } = entry
  const name = objectName(entry)
  const nobody = actor.tipo === 'anonimo' || actor.tipo === 'sistema'
  return (
    <>
      {cliente ? (
        <>
          <Link className="mono" href={clientPath(cliente)}>
            {cliente}
          </Link>
          {' · '}
        </>
      ) : null}
      {name && name !== cliente ? (
        <>
          <bdi className="mono">{name}</bdi>
          {' · '}
        </>
      ) : null}
      {nobody ? kindName(actor.tipo) : <bdi>{actor.nombre}</bdi>}
    </>
  )
}
