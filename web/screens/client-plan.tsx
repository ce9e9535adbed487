import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { t } from '../i18n/language.ts'
import { functionName, limitName, resourceName } from '../i18n/states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { OpForm } from '../ui/form.tsx'
import { amount, RESOURCES } from '../ui/meter.tsx'
import { Card, Facts } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import type { ClientData } from './client.tsx'
import { type PlanChoice, PlanField } from './plans/choice.tsx'

type Plan = OutputOf<'GET /api/planes/:plan'>
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
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
            {t('Change', 'Cambiar')}
          </Button>
        )
      }
    >
      {client.plan === null ? (
        <p>{t('No plan: no limits, every function.', 'Sin plan: sin límites, todas las funciones.')}</p>
      ) : (
        <p className="strong plan-name">{client.plan}</p>
      )}
      {plan.data && client.plan !== null ? <PlanLimits plan={plan.data} /> : null}
      <Dialog title={t('Change the plan', 'Cambiar el plan')} opened={open} close={() => setOpen(false)}>
        <ChangePlan client={client} close={() => setOpen(false)} />
      </Dialog>
    </Card>
  )
}

/** A plan's limits and functions. */
export function PlanLimits({ plan }: { plan: Plan }) {
  return (
    <Facts
      items={[
        ...RESOURCES.map((resource): [string, string] => {
          const limit = plan[resource]
          return [limitName(resource), limit === null ? t('no limit', 'sin límite') : amount(resource, limit)]
        }),
        [
          t('Functions', 'Funciones'),
          <span className="chips" key="f">
            {plan.funciones.map((name) => (
              <span className="chip" key={name}>
                {functionName(name)}
              </span>
            ))}
            {plan.funciones.length === 0 ? t('none', 'ninguna') : null}
          </span>,
        ],
      ]}
    />
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
      submit={t('Assign', 'Asignar')}
      disabled={choice === client.plan}
      cancel={close}
      done={({ data }) => {
        announce(
          data.excesos.length === 0
            ? t('The plan is assigned.', 'El plan está asignado.')
            : `${t('Assigned; over its limits:', 'Asignado; supera sus límites:')} ${data.excesos.map(({ recurso }) => resourceName(recurso)).join(', ')}`,
        )
        close()
      }}
    >
      {(error) => (
        <>
          <PlanField value={choice} onChange={setChoice} error={error('plan')} />
          {name !== '' && plan.data ? <PlanLimits plan={plan.data} /> : null}
          {exceeded.length > 0 ? (
            <Note tone="warn" title={t('The client is over these limits', 'El cliente supera estos límites')}>
              <ul className="bullets">
                {exceeded.map(({ resource, used, limit }) => (
                  <li key={resource}>
                    {resourceName(resource)}: {amount(resource, used)} {t('of', 'de')}{' '}
                    {amount(resource, limit)}
                  </li>
                ))}
              </ul>
              <p>
                {t(
                  'Nothing is removed; what is full only takes no more.',
                  'No se quita nada; lo que está lleno solo deja de admitir más.',
                )}
              </p>
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
    return limit !== null && used > limit ? [{ resource, used, limit }] : []
  })
}
