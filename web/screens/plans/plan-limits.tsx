import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { functionName, limitName } from '../../text/states.ts'
import { amount, RESOURCES } from '../../ui/meter.tsx'
import { Facts } from '../../ui/page.tsx'
import { texts } from './texts.ts'

export type Plan = OutputOf<'GET /api/planes/:plan'>

/** A plan's limits and functions. */
export function PlanLimits({ plan }: { plan: Plan }) {
  return (
    <Facts
      items={[
        ...RESOURCES.map((resource): [string, string] => {
          const limit = plan[resource]
          return [limitName(resource), limit === null ? common.noLimit : amount(resource, limit)]
        }),
        [texts.functions, <PlanFunctions key="f" names={plan.funciones} />],
      ]}
    />
  )
}

/** What a plan includes besides amounts. */
export const PlanFunctions = ({ names }: { names: Plan['funciones'] }) => (
  <span className="chips">
    {names.map((name) => (
      <span className="chip" key={name}>
        {functionName(name)}
      </span>
    ))}
    {names.length === 0 ? texts.none : null}
  </span>
)
