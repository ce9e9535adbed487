import { useRead } from '../../api/hooks.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'
import type { Zone } from './zone-state.tsx'

type Props = { zone: Pick<Zone, 'zona' | 'delegacion'> }
type Delegation = NonNullable<Zone['delegacion']>

/**
 * Tells that the domain's name servers are others than these, and which to set; nothing where all is well. What the
 * daily look found amiss stands at once, so that nothing is pushed away later, and is asked for again, so that this
 * screen says what the site's own says at that moment.
 */
export function DelegationNote({ zone }: Props) {
  const isAmiss = zone.delegacion !== null && zone.delegacion.estado !== 'aqui'
  const params = { zona: zone.zona }
  const now = useRead('GET /api/zonas/:zona/conexion', { params }, { enabled: isAmiss })
  if (!zone.delegacion || !isAmiss) return null
  const found = { ...zone.delegacion, ...now.data?.delegacion }
  if (found.estado === 'aqui') return null
  return (
    <div className="zone-error">
      <Told
        zona={zone.zona}
        found={found}
        again={
          <SmallButton loading={now.isFetching} onClick={() => void now.refetch()}>
            {texts.askNow}
          </SmallButton>
        }
      />
    </div>
  )
}

function Told({ zona, found, again }: { zona: string; found: Delegation; again: React.ReactNode }) {
  const { estado, servidores, esperados } = found
  return (
    <Note tone={estado === 'sin_respuesta' ? 'info' : 'warn'} title={titleOf(estado, zona)}>
      <p>{adviceOf(estado)}</p>
      {esperados.map((server) => (
        <CopyLine key={server} value={server} label={texts.copy(server)} />
      ))}
      {servidores.length > 0 ? (
        <p>
          {texts.seenNow}: <code>{servidores.join(', ')}</code>
        </p>
      ) : null}
      <p>{again}</p>
    </Note>
  )
}

function titleOf(estado: Delegation['estado'], zona: string): string {
  if (estado === 'parcial') return texts.delegatedInPart(zona)
  if (estado === 'ninguna') return texts.notDelegated(zona)
  if (estado === 'sin_respuesta') return texts.nameServersSilent(zona)
  return texts.delegatedAway(zona)
}

function adviceOf(estado: Delegation['estado']): string {
  if (estado === 'parcial') return texts.adviceWhenPartial
  return estado === 'sin_respuesta' ? texts.adviceWhenSilent : texts.adviceOnDelegation
}
