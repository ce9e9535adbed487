import { CopyLine } from '../../ui/copy.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'
import type { Zone } from './zone-state.tsx'

/** Tells that the domain's name servers are others than these, and which to set; nothing where all is well. */
export function DelegationNote({ zone }: { zone: Pick<Zone, 'zona' | 'delegacion'> }) {
  const { zona, delegacion } = zone
  if (!delegacion || delegacion.estado === 'aqui') return null
  const { estado, servidores, esperados } = delegacion
  return (
    <div className="zone-error">
      <Note tone="warn" title={titleOf(estado, zona)}>
        <p>{adviceOf(estado)}</p>
        {esperados.map((server) => (
          <CopyLine key={server} value={server} label={texts.copy(server)} />
        ))}
        {servidores.length > 0 ? (
          <p>
            {texts.seenNow}: <code>{servidores.join(', ')}</code>
          </p>
        ) : null}
      </Note>
    </div>
  )
}

type Delegation = NonNullable<Zone['delegacion']>['estado']

function titleOf(estado: Delegation, zona: string): string {
  if (estado === 'parcial') return texts.delegatedInPart(zona)
  if (estado === 'ninguna') return texts.notDelegated(zona)
  if (estado === 'sin_respuesta') return texts.nameServersSilent(zona)
  return texts.delegatedAway(zona)
}

function adviceOf(estado: Delegation): string {
  if (estado === 'parcial') return texts.adviceWhenPartial
  return texts.adviceOnDelegation
}
