import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { resourceName } from '../../text/states.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { amount, RESOURCES } from '../../ui/meter.tsx'
import { Card } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { type PlanChoice, PlanField } from '../plans/choice.tsx'
import { type Plan, PlanLimits } from '../plans/plan-limits.tsx'
import type { ClientData } from './data.ts'
import { texts } from './texts.ts'

type Usage = OutputOf<'GET /api/clientes/:cliente/uso'>

/** The client's plan, and its change. */
export function PlanCard({ client }: { client: ClientData }) {
  const [open, setOpen] = useState(false)
  const plan = useRead(
    'GET /api/planes/:plan',
    { params: { plan: client.plan ?? '' } },
    { enabled: client.plan !== null },
  )
  return (
    <Card
      title="Plan"
      actions={
        client.estado === 'eliminando' ? null : (
          <SmallButton onClick={() => setOpen(true)}>{common.change}</SmallButton>
        )
      }
    >
      {client.plan === null ? (
        <p>{texts.noPlanNoLimits}</p>
      ) : (
        <p className="strong plan-name">{client.plan}</p>
      )}
      {plan.data && client.plan !== null ? <PlanLimits plan={plan.data} /> : null}
      <Dialog title={texts.changeThePlan} opened={open} close={() => setOpen(false)}>
        <ChangePlan client={client} close={() => setOpen(false)} />
      </Dialog>
    </Card>
  )
}

function ChangePlan({ client, close }: { client: ClientData; close: () => void }) {
  const [choice, setChoice] = useState<PlanChoice>(client.plan)
  const name = choice ?? ''
  const params = { cliente: client.cliente }
  const usage = useRead('GET /api/clientes/:cliente/uso', { params })
  const plan = useRead('GET /api/planes/:plan', { params: { plan: name } }, { enabled: name !== '' })
  const exceeded = name !== '' && plan.data && usage.data ? excess(plan.data, usage.data) : []
  return (
    <OpForm
      op="POST /api/clientes/:cliente/plan"
      input={{ params, body: { plan: choice ?? null } }}
      submit={texts.assign}
      disabled={choice === client.plan}
      cancel={close}
      done={({ data }) => {
        announce(
          data.excesos.length === 0
            ? texts.thePlanIsAssigned
            : `${texts.assignedOverItsLimits} ${data.excesos.map(({ recurso }) => resourceName(recurso)).join(', ')}`,
        )
        close()
      }}
    >
      {(error) => (
        <>
          <PlanField value={choice} onChange={setChoice} error={error('plan')} />
          {name !== '' && plan.data ? <PlanLimits plan={plan.data} /> : null}
          {exceeded.length > 0 ? (
            <Note tone="warn" title={texts.clientOverTheseLimits}>
              <ul className="bullets">
                {exceeded.map(({ resource, used, limit }) => (
                  <li key={resource}>
                    {resourceName(resource)}: {amount(resource, used)} {common.of} {amount(resource, limit)}
                  </li>
                ))}
              </ul>
              <p>{texts.nothingIsRemoved}</p>
            </Note>
          ) : null}
        </>
      )}
    </OpForm>
  )
}

/** What the client already uses beyond a plan's limits. */
function excess(plan: Plan, usage: Usage) {
  return RESOURCES.flatMap((resource) => {
    const limit = plan[resource]
    const used = usage.consumo[resource].usado
    return limit !== null && used !== null && used > limit ? [{ resource, used, limit }] : []
  })
}
