import { Button } from '@mantine/core'
import { useAction } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { dateTime, number, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { mirrorReason } from '../i18n/states.ts'
import { ApiCall } from '../ui/api-call.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Facts, Nothing } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'

export type MirrorData = ItemOf<'GET /api/espejo'>

/** States from which nothing moves by itself. */
const RESTING = ['conflicto', 'perdida', 'retirada', 'retirando']

/** Everything that is known of the mirror of a zone; `admin` may act on it. */
export function MirrorView({ mirror, admin }: { mirror: MirrorData; admin: boolean }) {
  return (
    <div className="halves">
      <Card
        title={
          <span className="head-line">
            <State state={mirror.estado} />
            {mirror.posicion ? (
              <span className="faint">
                {t('place', 'puesto')} {number(mirror.posicion)} {t('in the queue', 'en la cola')}
              </span>
            ) : null}
          </span>
        }
        wire="GET /api/zonas/:zona/espejo"
      >
        <Words mirror={mirror} />
        <Facts
          items={[
            [t('Provider', 'Proveedor'), <code key="p">{mirror.proveedor}</code>],
            [
              t('Name servers there', 'Servidores allí'),
              mirror.servidores.length > 0 ? <code key="s">{mirror.servidores.join(' ')}</code> : null,
            ],
            [
              t('Serial mirrored', 'Serie copiada'),
              mirror.serie_espejada ? <code key="n">{mirror.serie_espejada}</code> : null,
            ],
            [t('Last sync', 'Última sincronización'), when(mirror.ultima_sincronizacion)],
            [t('Next', 'Próxima'), when(mirror.proxima)],
            [t('Last difference', 'Última diferencia'), <Change key="c" change={mirror.ultimo_cambio} />],
          ]}
        />
        {admin && !RESTING.includes(mirror.estado) ? <SyncNow zona={mirror.zona} /> : null}
      </Card>
      <Card title={t("Resolvers' answers", 'Respuestas de los resolvers')}>
        <p className="small faint">
          {t('Checked', 'Comprobado')} {mirror.comprobada ? relative(mirror.comprobada) : '—'}
        </p>
        <Answers mirror={mirror} />
        {mirror.omitidos.length > 0 ? <Omitted mirror={mirror} /> : null}
      </Card>
    </div>
  )
}

const when = (iso: string | null) => (iso ? <span title={dateTime(iso)}>{relative(iso)}</span> : null)

function Words({ mirror }: { mirror: MirrorData }) {
  const advice: Record<string, string> = {
    conflicto: t(
      'What stands at the provider under this name is not provably ours, so it is left alone until somebody decides: remove it there, or end the mirror here.',
      'Lo que hay en el proveedor con este nombre no es demostrablemente nuestro y no se toca hasta que alguien decida: quítelo allí, o termine el espejo aquí.',
    ),
    perdida: t(
      'The zone disappeared at the provider. It is never made again in silence: end the mirror and begin it anew.',
      'La zona desapareció en el proveedor. Nunca se rehace en silencio: termine el espejo y empiécelo de nuevo.',
    ),
    sin_cuota: t('The provider account is full.', 'La cuenta del proveedor está llena.'),
  }
  const words = advice[mirror.estado]
  return (
    <>
      {mirror.motivo ? <Note tone="info" title={mirrorReason(mirror.motivo)} /> : null}
      {words ? <Note tone="warn" title={words} /> : null}
      {mirror.error ? <Note tone="bad" title={mirror.error} /> : null}
    </>
  )
}

export function Change({ change }: { change: MirrorData['ultimo_cambio'] }) {
  if (!change) return <Nothing />
  return (
    <span className="mono nowrap">
      +{number(change.creados)} ~{number(change.cambiados)} −{number(change.borrados)}
    </span>
  )
}

function Answers({ mirror }: { mirror: MirrorData }) {
  if (mirror.respuestas.length === 0) return <p className="faint">{t('None yet.', 'Aún ninguna.')}</p>
  return (
    <Table
      label={t("Resolvers' answers", 'Respuestas de los resolvers')}
      rows={mirror.respuestas}
      rowKey={({ resolver }) => resolver}
      columns={[
        { head: 'Resolver', long: true, cell: ({ resolver }) => <code>{resolver}</code> },
        { head: t('Answer', 'Respuesta'), cell: ({ resultado }) => <State state={resultado} /> },
        {
          head: t('Seen', 'Visto'),
          long: true,
          cell: ({ visto }) => (visto.length > 0 ? <code>{visto.join(' ')}</code> : <Nothing />),
        },
      ]}
    />
  )
}

function Omitted({ mirror }: { mirror: MirrorData }) {
  return (
    <Note
      tone="warn"
      title={t('The provider cannot hold these records', 'El proveedor no admite estos registros')}
    >
      <ul className="bullets">
        {mirror.omitidos.map(({ nombre, tipo, motivo }) => (
          <li key={nombre + tipo}>
            <code>
              {nombre} {tipo}
            </code>{' '}
            {motivo}
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** "Sync now" queues the zone; the queue does about one a minute. */
export function SyncNow({ zona }: { zona: string }) {
  const sync = useAction('POST /api/zonas/:zona/espejo/sincronizar')
  const run = async () => {
    const answer = await sync.run({ params: { zona } })
    if (!answer) return
    const { posicion, estimado } = answer.data
    announce(`${t('Queued, place', 'En cola, puesto')} ${number(posicion)}; ${relative(estimado)}`)
  }
  return (
    <div className="form">
      {sync.error ? <ErrorNote error={sync.error} /> : null}
      <div className="form-foot">
        <Button variant="default" leftSection={<Icon name="sync" />} loading={sync.busy} onClick={run}>
          {t('Sync now', 'Sincronizar ahora')}
        </Button>
      </div>
      <ApiCall op="POST /api/zonas/:zona/espejo/sincronizar" input={{ params: { zona } }} />
    </div>
  )
}
