import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { Facts, Nothing } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { texts } from './texts.ts'
import { omissionWords, providerName, reasonWords } from './words.ts'

export type Mirror = OutputOf<'GET /api/zonas/:zona/espejo'>

/** All that is known of one mirrored zone. */
export function MirrorDetails({ mirror }: { mirror: Mirror }) {
  return (
    <div className="stack">
      {mirror.motivo || mirror.error ? (
        <Note
          tone={['error', 'conflicto', 'perdida'].includes(mirror.estado) ? 'bad' : 'warn'}
          title={mirror.motivo ? reasonWords(mirror.motivo) : texts.theLastTryFailed}
        >
          {mirror.error ? <p>{mirror.error}</p> : null}
        </Note>
      ) : null}
      <Facts
        items={[
          [common.state, <State key="s" state={mirror.estado} />],
          [texts.provider, providerName(mirror.proveedor)],
          [
            texts.itsNameServers,
            mirror.servidores.length > 0 ? <Names key="n" names={mirror.servidores} /> : null,
          ],
          [texts.queue, mirror.posicion === null ? null : <Place key="p" place={mirror.posicion} />],
          [texts.next, <When key="x" at={mirror.proxima} />],
          [texts.lastSynced, <When key="l" at={mirror.ultima_sincronizacion} />],
          [
            texts.mirroredSerial,
            mirror.serie_espejada === null ? null : <code key="e">{mirror.serie_espejada}</code>,
          ],
          [texts.lastDifference, <LastChange key="c" change={mirror.ultimo_cambio} />],
        ]}
      />
      <Answers mirror={mirror} />
      <Omitted omitted={mirror.omitidos} />
    </div>
  )
}

function Names({ names }: { names: string[] }) {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}

export function Place({ place }: { place: number }) {
  return (
    <>
      {texts.place} {number(place)}
    </>
  )
}

/** An instant as a distance, with the exact time beside it. */
export function When({ at }: { at: string | null }) {
  if (at === null) return <Nothing />
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at)}
    </time>
  )
}

/** Record sets that the last run which found a difference created, changed and deleted. */
export function LastChange({ change }: { change: Mirror['ultimo_cambio'] }) {
  if (change === null) return <Nothing />
  const { creados, cambiados, borrados } = change
  return (
    <span className="mono nowrap">
      <span className="visually-hidden">{texts.created} </span>+{creados}{' '}
      <span className="visually-hidden">{common.areChanged} </span>~{cambiados}{' '}
      <span className="visually-hidden">{common.areDeleted} </span>−{borrados}
    </span>
  )
}

function Answers({ mirror }: { mirror: Mirror }) {
  if (mirror.respuestas.length === 0) return null
  return (
    <section>
      <h3>
        {texts.whatTheResolversSay}{' '}
        <span className="faint small">
          <When at={mirror.comprobada} />
        </span>
      </h3>
      <ul className="answers">
        {mirror.respuestas.map(({ resolver, resultado, visto }) => (
          <li key={resolver}>
            <code>{resolver}</code>
            <State state={resultado} />
            <code className="faint">{visto.join(', ') || '—'}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Omitted({ omitted }: { omitted: Mirror['omitidos'] }) {
  if (omitted.length === 0) return null
  return (
    <section>
      <h3>{texts.differsInTheCopy}</h3>
      <ul className="bullets">
        {omitted.map(({ nombre, tipo, motivo }) => (
          <li key={`${nombre} ${tipo}`}>
            <code>
              {nombre} {tipo}
            </code>
            : {omissionWords(motivo)}
          </li>
        ))}
      </ul>
    </section>
  )
}
