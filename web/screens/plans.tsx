import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { functionName, resourceName } from '../i18n/states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, SearchFilter, TextField, useFilter } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { amount, RESOURCES, type Resource } from '../ui/meter.tsx'
import { Empty, PageHead } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'

type Plan = ItemOf<'GET /api/planes'>
type PlanFunction = Plan['funciones'][number]

const FUNCTIONS: PlanFunction[] = ['php', 'https', 'espejo_dns']

export default function Plans() {
  const [buscar] = useFilter('buscar')
  const [editing, setEditing] = useState<Plan | 'new' | null>(null)
  const [removing, setRemoving] = useState<Plan | null>(null)
  const plans = usePages('GET /api/planes', { query: buscar ? { buscar } : {} })
  const limit = (plan: Plan, resource: Resource) => {
    const value = plan[resource]
    return value === null ? <span className="faint">∞</span> : amount(resource, value)
  }
  return (
    <>
      <PageHead
        title={t('Plans', 'Planes')}
        wire="GET /api/planes"
        lead={t(
          'A change applies to the clients of a plan at once. ∞ is without a limit.',
          'Un cambio se aplica enseguida a los clientes del plan. ∞ es sin límite.',
        )}
      >
        <Button leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
          {t('New plan', 'Plan nuevo')}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={t('Name begins with', 'El nombre empieza por')} />
      </div>
      <PagedTable
        label={t('Plans', 'Planes')}
        pages={plans}
        rowKey={({ plan }) => plan}
        columns={[
          { head: 'Plan', cell: ({ plan }) => <span className="strong">{plan}</span> },
          {
            head: t('Clients', 'Clientes'),
            end: true,
            cell: ({ plan, clientes }) =>
              clientes > 0 ? (
                <Link href={`/panel/clientes?plan=${encodeURIComponent(plan)}`}>{number(clientes)}</Link>
              ) : (
                number(0)
              ),
          },
          ...RESOURCES.map((resource) => ({
            head: resourceName(resource),
            end: true,
            cell: (plan: Plan) => limit(plan, resource),
          })),
          {
            head: t('Functions', 'Funciones'),
            cell: ({ funciones }) => (
              <span className="chips">
                {funciones.map((name) => (
                  <span className="chip" key={name}>
                    {functionName(name)}
                  </span>
                ))}
              </span>
            ),
          },
          {
            head: t('Actions', 'Acciones'),
            actions: true,
            cell: (plan) => (
              <>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setEditing(plan)}
                  aria-label={`${t('Edit', 'Editar')} ${plan.plan}`}
                >
                  {t('Edit', 'Editar')}
                </Button>{' '}
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setRemoving(plan)}
                  aria-label={`${t('Delete', 'Eliminar')} ${plan.plan}`}
                >
                  {t('Delete', 'Eliminar')}
                </Button>
              </>
            ),
          },
        ]}
        empty={
          <Empty icon="plans" title={t('No plans yet.', 'Aún no hay planes.')}>
            <p>{t('A client without a plan has no limits.', 'Un cliente sin plan no tiene límites.')}</p>
          </Empty>
        }
      />
      <Dialog
        title={editing === 'new' ? t('New plan', 'Plan nuevo') : (editing?.plan ?? '')}
        opened={editing !== null}
        close={() => setEditing(null)}
      >
        {editing === null ? null : (
          <PlanForm plan={editing === 'new' ? null : editing} close={() => setEditing(null)} />
        )}
      </Dialog>
      <Dialog
        title={t('Delete the plan?', '¿Eliminar el plan?')}
        opened={removing !== null}
        close={() => setRemoving(null)}
      >
        {removing ? (
          <OpForm
            op="DELETE /api/planes/:plan"
            input={{ params: { plan: removing.plan } }}
            submit={t('Delete', 'Eliminar')}
            danger
            cancel={() => setRemoving(null)}
            done={() => {
              announce(t('Deleted.', 'Eliminado.'))
              setRemoving(null)
            }}
          >
            {() => (
              <p>
                <b>{removing.plan}</b>.{' '}
                {t(
                  'A plan that a client has cannot be deleted.',
                  'Un plan que tiene algún cliente no se puede eliminar.',
                )}
              </p>
            )}
          </OpForm>
        ) : null}
      </Dialog>
    </>
  )
}

type Limits = Record<Resource, string>

function PlanForm({ plan, close }: { plan: Plan | null; close: () => void }) {
  const [name, setName] = useState(plan?.plan ?? '')
  const [limits, setLimits] = useState<Limits>(() => textsOf(plan))
  const [functions, setFunctions] = useState<PlanFunction[]>(plan?.funciones ?? FUNCTIONS)
  const body = { ...valuesOf(limits), funciones: functions }
  const done = () => {
    announce(t('Saved.', 'Guardado.'))
    close()
  }
  const fields = (error: (field: string) => string | undefined) => (
    <>
      <TextField
        label={t('Name', 'Nombre')}
        description={t(
          'Billing systems name a plan by exactly this.',
          'Los sistemas de facturación lo nombran exactamente así.',
        )}
        value={name}
        onChange={setName}
        error={error('plan')}
        max={64}
        autoFocus
      />
      <div className="pair">
        {RESOURCES.map((resource) => (
          <LimitField
            key={resource}
            resource={resource}
            value={limits[resource]}
            onChange={(value) => setLimits({ ...limits, [resource]: value })}
            error={error(resource)}
          />
        ))}
      </div>
      <fieldset className="checks">
        <legend>{t('Functions', 'Funciones')}</legend>
        {FUNCTIONS.map((one) => (
          <Checkbox
            key={one}
            label={functionName(one)}
            checked={functions.includes(one)}
            onChange={(event) =>
              setFunctions(
                event.currentTarget.checked
                  ? [...functions, one]
                  : functions.filter((other) => other !== one),
              )
            }
          />
        ))}
      </fieldset>
      {plan && plan.clientes > 0 ? (
        <Note
          tone="info"
          title={`${t('Clients with this plan:', 'Clientes con este plan:')} ${number(plan.clientes)}`}
        />
      ) : null}
    </>
  )
  if (!plan) {
    return (
      <OpForm
        op="POST /api/planes"
        input={{ body: { plan: name, ...body } }}
        submit={t('Create', 'Crear')}
        cancel={close}
        done={done}
      >
        {fields}
      </OpForm>
    )
  }
  return (
    <OpForm
      op="PATCH /api/planes/:plan"
      input={{
        params: { plan: plan.plan },
        body: { ...(name === plan.plan ? {} : { plan: name }), ...body },
      }}
      submit={t('Save', 'Guardar')}
      cancel={close}
      done={done}
    >
      {fields}
    </OpForm>
  )
}

const UNITS = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const
type Unit = keyof typeof UNITS

/** A limit as it is typed: a number, for bytes with a unit; empty is without a limit. */
function LimitField({
  resource,
  value,
  onChange,
  error,
}: {
  resource: Resource
  value: string
  onChange: (value: string) => void
  error: string | undefined
}) {
  const [digits = '', unit = 'GiB'] = value.split(' ')
  const ofBytes = resource.endsWith('_bytes')
  const field = (
    <TextField
      label={resourceName(resource)}
      value={digits}
      placeholder="∞"
      error={error}
      onChange={(next) => onChange(ofBytes ? `${next.trim()} ${unit}` : next.trim())}
    />
  )
  if (!ofBytes) return field
  return (
    <div className="with-unit">
      {field}
      <Choice
        label={`${resourceName(resource)}: ${t('unit', 'unidad')}`}
        value={unit}
        onChange={(next) => onChange(`${digits} ${next}`)}
        options={Object.keys(UNITS).map((name) => ({ value: name, label: name }))}
      />
    </div>
  )
}

function textsOf(plan: Plan | null): Limits {
  const text = (resource: Resource): string => {
    const value = plan?.[resource] ?? null
    if (!resource.endsWith('_bytes')) return value === null ? '' : String(value)
    if (value === null) return ' GiB'
    const unit: Unit = value % UNITS.TiB === 0 && value > 0 ? 'TiB' : value % UNITS.GiB === 0 ? 'GiB' : 'MiB'
    return `${value / UNITS[unit]} ${unit}`
  }
  return Object.fromEntries(RESOURCES.map((resource) => [resource, text(resource)])) as Limits // one each
}

/** What is not a number goes to the API as such, which says so at the field. */
function valuesOf(limits: Limits): Record<Resource, number | null> {
  const value = (resource: Resource): number | null => {
    const [digits = '', unit = 'GiB'] = limits[resource].split(' ')
    if (digits === '') return null
    const typed = Number(digits.replace(',', '.'))
    if (!resource.endsWith('_bytes')) return typed
    return Math.round(typed * UNITS[unit as Unit]) // the units offered are the table's own
  }
  return Object.fromEntries(RESOURCES.map((resource) => [resource, value(resource)])) as Record<
    Resource,
    number | null
  > // one each
}
