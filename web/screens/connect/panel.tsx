import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../api/errors.ts'
import { common } from '../../text/common.ts'
import { relative } from '../../text/format.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Glyph } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { type Connection, recordsOf, useConnection } from './data.ts'
import { SeeFirst } from './see-first.tsx'
import { SeenName } from './seen-name.tsx'
import { texts } from './texts.ts'

/** The way of a site's names to this server, as a card of its page. */
export function ConnectCard({ domain }: { domain: string }) {
  const read = useConnection(domain)
  return (
    <Card title={texts.connectYourDomain} wire="GET /api/sitios/:domain/conexion">
      <Loaded of={read}>{(connection) => <Connect connection={connection} read={read} />}</Loaded>
    </Card>
  )
}

type Props = { connection: Connection; read: UseQueryResult<Connection, ApiError> }

/** What to set so that the names lead here, and what was found instead. */
export function Connect({ connection, read }: Props) {
  const { conectado, comprobada, domain } = connection
  return (
    <div className="stack connect">
      {conectado ? (
        <p className="state tone-good">
          <Glyph tone="good" />
          {texts.leadsHere(domain)}
        </p>
      ) : (
        <Ways connection={connection} />
      )}
      <Found connection={connection} />
      <p className="small faint" role="status">
        {texts.asked(relative(comprobada))}{' '}
        <SmallButton loading={read.isFetching} onClick={() => void read.refetch()}>
          {texts.checkAgain}
        </SmallButton>
      </p>
      {conectado ? null : <SeeFirst connection={connection} />}
    </div>
  )
}

/** One way or the other: the zone of the panel, or records elsewhere. */
function Ways({ connection }: { connection: Connection }) {
  const { servidores, direcciones } = connection
  if (servidores.length === 0 && direcciones.length === 0) return <p>{texts.nothingToSet}</p>
  return (
    <>
      {servidores.length > 0 ? (
        <section>
          <h3>{texts.byNameServers}</h3>
          <p className="small">{texts.byNameServersHow}</p>
          {servidores.map((server) => (
            <CopyLine key={server} value={server} label={texts.copy(server)} />
          ))}
        </section>
      ) : null}
      {direcciones.length > 0 ? (
        <section>
          <h3>{servidores.length > 0 ? texts.orByRecords : texts.byRecords}</h3>
          <p className="small">{texts.byRecordsHow}</p>
          <Table
            label={texts.byRecords}
            rows={recordsOf(connection)}
            rowKey={({ name, value }) => `${name} ${value}`}
            columns={[
              { head: common.name, long: true, cell: ({ name }) => <code>{name}</code> },
              { head: common.type, narrow: true, cell: ({ type }) => <code>{type}</code> },
              {
                head: common.value,
                cell: ({ value }) => <CopyLine value={value} label={texts.copy(value)} />,
              },
            ]}
          />
        </section>
      ) : null}
      <p className="small faint">{texts.itTakesTime}</p>
    </>
  )
}

/** What the resolvers tell, name by name. */
function Found({ connection: { nombres, delegacion, conectado } }: { connection: Connection }) {
  if (nombres.length > 0 && nombres.every(({ estado }) => estado === 'sin_respuesta'))
    return <p>{texts.notTold}</p>
  return (
    <section>
      <h3>{texts.found}</h3>
      <ul className="watch">
        {nombres.map((seen) => (
          <SeenName key={seen.nombre} seen={seen} />
        ))}
        {delegacion && !conectado ? <NameServers {...delegacion} /> : null}
      </ul>
    </section>
  )
}

function NameServers({ estado, servidores }: NonNullable<Connection['delegacion']>) {
  if (servidores.length > 0)
    return (
      <li>
        {texts.nameServersNow}
        <span className="sub mono">{servidores.join(', ')}</span>
      </li>
    )
  return estado === 'ninguna' ? <li>{texts.noNameServers}</li> : null
}
