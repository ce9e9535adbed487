import { appearance } from '../../../api/appearance.ts'
import { useRead } from '../../../api/hooks.ts'
import { dateTime } from '../../../text/format.ts'
import { Card, Loaded } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import type { ClientData } from '../../clients/data.ts'
import { PlanFunctions } from '../../plans/plan-limits.tsx'
import { texts } from './texts.ts'

export function Suspended({ client }: { client: ClientData }) {
  return (
    <div className="head-note">
      <Note tone="warn" title={texts.yourAccountIsSuspended}>
        <p>{client.motivo ?? texts.noReasonWasGiven}</p>
        <Help />
        <p className="small">
          {client.suspendido_desde ? `${texts.since} ${dateTime(client.suspendido_desde)}. ` : ''}
          {texts.whatSuspendedMeans}
        </p>
      </Note>
    </div>
  )
}

/** Where the operator helps, where it has said so. */
function Help() {
  const { soporte } = appearance.use()
  if (soporte === null) return null
  return (
    <p>
      <a href={soporte}>{soporte.startsWith('mailto:') ? texts.writeForHelp : texts.askForHelp}</a>
    </p>
  )
}

export function OwnPlan({ name }: { name: string | null }) {
  const plan = useRead('GET /api/planes/:plan', { params: { plan: name ?? '' } }, { enabled: name !== null })
  return (
    <Card title={texts.yourPlan}>
      {name === null ? (
        <p>{texts.noPlanNoLimits}</p>
      ) : (
        <>
          <p className="strong plan-name">{name}</p>
          <Loaded of={plan}>{({ funciones }) => <PlanFunctions names={funciones} />}</Loaded>
        </>
      )}
    </Card>
  )
}
