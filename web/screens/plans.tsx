import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../api/hooks.ts'
import { number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { functionName, limitName } from '../i18n/states.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SearchFilter, useFilter } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { amount, RESOURCES, type Resource } from '../ui/meter.tsx'
import { Empty, PageHead } from '../ui/page.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import { PlanForm } from './plans/form.tsx'
import type { Plan } from './plans/limits.ts'

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
            head: limitName(resource),
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
