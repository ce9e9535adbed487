import { session } from '../../api/session.ts'
import { dateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { OpForm } from '../../ui/form.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Mirror, MirrorDetails } from './details.tsx'

/** Over, or standing still until an admin begins anew. */
const RESTING: ReadonlySet<string> = new Set(['conflicto', 'perdida', 'sin_cuota', 'retirada'])

/** The mirror of one zone: everybody may look, admins may act. */
export function ZoneMirror({ zona, mirror }: { zona: string; mirror: Mirror | null }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <div className={admin ? 'columns' : 'stack'}>
      <Card
        title={t('Mirror at the DNS provider', 'Espejo en el proveedor de DNS')}
        wire="GET /api/zonas/:zona/espejo"
      >
        {mirror ? (
          <MirrorDetails mirror={mirror} />
        ) : (
          <Empty icon="mirror" title={t('This zone is not mirrored', 'Esta zona no tiene espejo')}>
            <p>
              {t(
                'Its only name servers are those of this panel.',
                'Sus únicos servidores de nombres son los de este panel.',
              )}
            </p>
          </Empty>
        )}
      </Card>
      {admin ? <MirrorActions zona={zona} mirror={mirror} /> : null}
    </div>
  )
}

/** What an admin can do with the mirror of a zone in its present state. */
export function MirrorActions({ zona, mirror }: { zona: string; mirror: Mirror | null }) {
  const state = mirror?.estado ?? null
  const resting = state === null || RESTING.has(state)
  return (
    <div className="stack">
      {resting ? <Start zona={zona} again={state !== null} /> : null}
      {resting || state === 'retirando' ? null : <Sync zona={zona} />}
      {state === null || state === 'retirada' || state === 'retirando' ? null : <Stop zona={zona} />}
    </div>
  )
}

function Start({ zona, again }: { zona: string; again: boolean }) {
  return (
    <Card title={again ? t('Begin anew', 'Empezar de nuevo') : t('Mirror this zone', 'Espejar esta zona')}>
      <OpForm
        op="PUT /api/zonas/:zona/espejo"
        input={{ params: { zona } }}
        submit={t('Mirror', 'Espejar')}
        done={({ data }) =>
          announce(
            data.estado === 'comprobando'
              ? t('An answer is missing; the check goes on.', 'Falta una respuesta; la comprobación sigue.')
              : t('Queued for the mirror', 'En cola para el espejo'),
          )
        }
      >
        {() => (
          <p>
            {t(
              'The recursive resolvers are asked first: only a zone that resolves to this server, and that the account does not hold yet, is taken.',
              'Antes se pregunta a los resolvers recursivos: solo se admite una zona que resuelva a este servidor y que la cuenta no tenga ya.',
            )}
          </p>
        )}
      </OpForm>
    </Card>
  )
}

function Sync({ zona }: { zona: string }) {
  return (
    <Card title={t('Sync now', 'Sincronizar ahora')}>
      <OpForm
        op="POST /api/zonas/:zona/espejo/sincronizar"
        input={{ params: { zona } }}
        submit={t('Sync now', 'Sincronizar ahora')}
        done={({ data }) =>
          announce(
            `${t('Queued, place', 'En cola, puesto')} ${data.posicion} · ${t('about', 'hacia')} ${dateTime(data.estimado)}`,
          )
        }
      >
        {() => (
          <p>
            {t(
              'Puts the zone into the queue, which does about one zone a minute.',
              'Pone la zona en la cola, que atiende más o menos una zona por minuto.',
            )}
          </p>
        )}
      </OpForm>
    </Card>
  )
}

function Stop({ zona }: { zona: string }) {
  return (
    <Card title={t('End the mirror', 'Terminar el espejo')}>
      <OpForm
        op="DELETE /api/zonas/:zona/espejo"
        input={{ params: { zona } }}
        submit={t('Remove the copy', 'Retirar la copia')}
        danger
        done={() => announce(t('The copy is being removed', 'La copia se está retirando'))}
      >
        {() => (
          <p>
            {t(
              'The copy at the provider is deleted. Take its name servers out at the registrar first.',
              'Se borra la copia en el proveedor. Antes, quite sus servidores de nombres en el registrador.',
            )}
          </p>
        )}
      </OpForm>
    </Card>
  )
}
