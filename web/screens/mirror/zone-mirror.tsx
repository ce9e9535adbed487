import { session } from '../../api/session.ts'
import { dateTime } from '../../text/format.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Mirror, MirrorDetails } from './details.tsx'
import { texts } from './texts.ts'

/** Over, or standing still until an admin begins anew. */
const RESTING: ReadonlySet<string> = new Set(['conflicto', 'perdida', 'sin_cuota', 'retirada'])

/** The mirror of one zone: everybody may look, admins may act. */
export function ZoneMirror({ zona, mirror }: { zona: string; mirror: Mirror | null }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <div className={admin ? 'columns' : 'stack'}>
      <Card title={texts.mirrorDnsProvider} wire="GET /api/zonas/:zona/espejo">
        {mirror ? (
          <MirrorDetails mirror={mirror} />
        ) : (
          <Empty icon="mirror" title={texts.zoneNotMirrored}>
            <p>{texts.onlyOwnNameServers}</p>
          </Empty>
        )}
      </Card>
      {admin ? <MirrorActions zona={zona} mirror={mirror} /> : null}
    </div>
  )
}

/** What an admin can do with the mirror of a zone in its present state. */
function MirrorActions({ zona, mirror }: { zona: string; mirror: Mirror | null }) {
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
    <Card title={again ? texts.beginAnew : texts.mirrorThisZone}>
      <OpForm
        op="PUT /api/zonas/:zona/espejo"
        input={{ params: { zona } }}
        submit={texts.mirror}
        done={({ data }) =>
          announce(data.estado === 'comprobando' ? texts.checkGoesOn : texts.queuedForTheMirror)
        }
      >
        {() => <p>{texts.whatMirroringDoes}</p>}
      </OpForm>
    </Card>
  )
}

function Sync({ zona }: { zona: string }) {
  return (
    <Card title={texts.syncNow}>
      <OpForm
        op="POST /api/zonas/:zona/espejo/sincronizar"
        input={{ params: { zona } }}
        submit={texts.syncNow}
        done={({ data }) =>
          announce(`${texts.queuedPlace} ${data.posicion} · ${texts.about} ${dateTime(data.estimado)}`)
        }
      >
        {() => <p>{texts.whatSyncDoes}</p>}
      </OpForm>
    </Card>
  )
}

function Stop({ zona }: { zona: string }) {
  return (
    <Card title={texts.endTheMirror}>
      <OpForm
        op="DELETE /api/zonas/:zona/espejo"
        input={{ params: { zona } }}
        submit={texts.removeTheCopy}
        danger
        done={() => announce(texts.copyBeingRemoved)}
      >
        {() => <p>{texts.whatRemovingDoes}</p>}
      </OpForm>
    </Card>
  )
}
