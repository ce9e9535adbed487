import { useState } from 'react'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { OpForm } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { announce } from '../ui/toast.tsx'
import { MirrorView } from './mirror-view.tsx'
import type { ZoneData } from './zone.tsx'

/** The mirror of one zone: a customer reads it, an admin begins and ends it. */
export default function ZoneMirror({ zone }: { zone: ZoneData }) {
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  const mirror = zone.espejo
  const active = mirror !== null && mirror.estado !== 'retirada'
  return (
    <div className="stack">
      {mirror ? <MirrorView mirror={mirror} admin={admin} /> : null}
      {!mirror && !admin ? (
        <p className="faint">{t('This zone is not mirrored.', 'Esta zona no está en espejo.')}</p>
      ) : null}
      {admin && !active ? (
        <Card title={t('Mirror this zone', 'Poner la zona en espejo')}>
          <Begin zona={zone.zona} />
        </Card>
      ) : null}
      {admin && active ? (
        <Card title={t('End the mirror', 'Terminar el espejo')}>
          <End zona={zone.zona} />
        </Card>
      ) : null}
    </div>
  )
}

export function Begin({ zona: fixed }: { zona?: string }) {
  const [zona] = useState(fixed ?? '')
  return (
    <OpForm
      op="PUT /api/zonas/:zona/espejo"
      input={{ params: { zona } }}
      submit={t('Mirror', 'Poner en espejo')}
      done={({ status }) =>
        announce(
          status === 202
            ? t(
                'The check goes on; the zone is queued when it succeeds.',
                'La comprobación sigue; la zona entra en cola cuando acabe bien.',
              )
            : t('Queued.', 'En cola.'),
        )
      }
    >
      {() => (
        <p>
          {t(
            'The panel stays the source of truth; the provider holds a copy. The zone must already resolve to this server by a recursive resolver, and must not exist in the provider account.',
            'El panel sigue siendo la fuente; el proveedor guarda una copia. La zona ya debe resolver a este servidor según un resolver recursivo, y no debe existir en la cuenta del proveedor.',
          )}
        </p>
      )}
    </OpForm>
  )
}

function End({ zona }: { zona: string }) {
  return (
    <OpForm
      op="DELETE /api/zonas/:zona/espejo"
      input={{ params: { zona } }}
      submit={t('End the mirror', 'Terminar el espejo')}
      danger
      done={() =>
        announce(
          t('The copy is being removed at the provider.', 'La copia se está retirando en el proveedor.'),
        )
      }
    >
      {() => (
        <p>
          {t(
            "The copy is removed at the provider. The panel's own DNS does not change. Take the provider's name servers out at the registrar first.",
            'La copia se retira en el proveedor. El DNS del panel no cambia. Antes quite en el registrador los servidores del proveedor.',
          )}
        </p>
      )}
    </OpForm>
  )
}
