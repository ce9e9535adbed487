import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { functionName, limitName, resourceName } from '../../text/states.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchFilter, useFilter } from '../../ui/forms/filters.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { amount, RESOURCES, type Resource } from '../../ui/meter.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { PlanForm } from './form.tsx'
import type { Plan } from './limits.ts'
import { texts } from './texts.ts'

export default function Plans() {
  const [buscar] = useFilter('buscar')
  const [search, setSearch] = useSearchParams()
  const [editing, setEditing] = useState<Plan | 'new' | null>(search.has('nuevo') ? 'new' : null)
  const [removing, setRemoving] = useState<Plan | null>(null)
  const close = () => {
    setEditing(null)
    setSearch((now) => without(now, 'nuevo'), { replace: true })
  }
  const plans = usePages('GET /api/planes', { query: buscar ? { buscar } : {} })
  return (
    <>
      <PageHead title={common.plans} wire="GET /api/planes" lead={texts.whatPlansAre}>
        <Button leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
          {texts.newPlan}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={common.nameBeginsWith} />
      </div>
      <PagedTable
        label={common.plans}
        pages={plans}
        rowKey={({ plan }) => plan}
        columns={columns({ edit: setEditing, remove: setRemoving })}
        empty={
          <Empty icon="plans" title={texts.noPlansYet}>
            <p>{texts.noPlansHint}</p>
          </Empty>
        }
      />
      <Dialog
        title={editing === 'new' ? texts.newPlan : (editing?.plan ?? '')}
        opened={editing !== null}
        close={close}
      >
        {editing === null ? null : <PlanForm plan={editing === 'new' ? null : editing} close={close} />}
      </Dialog>
      <Dialog title={texts.deleteThePlan} opened={removing !== null} close={() => setRemoving(null)}>
        {removing ? <RemovePlan plan={removing.plan} close={() => setRemoving(null)} /> : null}
      </Dialog>
    </>
  )
}

function without(search: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(search)
  rest.delete(name)
  return rest
}

/** The limits that plans are compared by. */
const FIRST: Resource[] = ['disco_bytes', 'trafico_bytes', 'sitios', 'cpu_porcentaje']

type Ways = { edit: (plan: Plan) => void; remove: (plan: Plan) => void }

const columns = ({ edit, remove }: Ways): Column<Plan>[] => [
  { head: 'Plan', cell: ({ plan }) => <span className="strong">{plan}</span> },
  {
    head: common.clients,
    end: true,
    cell: ({ plan, clientes }) =>
      clientes > 0 ? (
        <Link href={`/panel/clientes?plan=${encodeURIComponent(plan)}`}>{number(clientes)}</Link>
      ) : (
        number(0)
      ),
  },
  ...FIRST.map((resource) => ({
    head: resource === 'cpu_porcentaje' ? resourceName(resource) : limitName(resource),
    end: true,
    cell: (plan: Plan) => limit(plan, resource),
  })),
  { head: texts.otherLimits, cell: (plan) => <Others plan={plan} /> },
  {
    head: texts.functions,
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
    head: common.actions,
    actions: true,
    cell: (plan) => (
      <>
        <SmallButton onClick={() => edit(plan)} aria-label={`${texts.edit} ${plan.plan}`}>
          {texts.edit}
        </SmallButton>{' '}
        <SmallButton onClick={() => remove(plan)} aria-label={`${common.delete} ${plan.plan}`}>
          {common.delete}
        </SmallButton>
      </>
    ),
  },
]

/** All limits side by side are wider than a screen. */
function Others({ plan }: { plan: Plan }) {
  return (
    <ul className="plan-limits">
      {RESOURCES.filter((resource) => !FIRST.includes(resource)).map((resource) => (
        <li key={resource}>
          {limitName(resource)} {limit(plan, resource)}
        </li>
      ))}
    </ul>
  )
}

function limit(plan: Plan, resource: Resource) {
  const value = plan[resource]
  return value === null ? <span className="faint">∞</span> : amount(resource, value)
}

function RemovePlan({ plan, close }: { plan: string; close: () => void }) {
  return (
    <OpForm
      op="DELETE /api/planes/:plan"
      input={{ params: { plan } }}
      submit={common.delete}
      danger
      cancel={close}
      done={() => {
        announce(common.deleted)
        close()
      }}
    >
      {() => (
        <p>
          <b>{plan}</b>. {texts.planInUseStays}
        </p>
      )}
    </OpForm>
  )
}
