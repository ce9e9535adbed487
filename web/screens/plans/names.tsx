import { useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { Choice } from '../../ui/forms/fields.tsx'

/** The names of all plans. */
export function usePlanNames(): string[] | null {
  const plans = useRead('GET /api/planes', { query: { limite: '200' } })
  return plans.data ? plans.data.datos.map(({ plan }) => plan) : null
}

/** A listing's filter by plan; the empty value is any. */
export function PlanFilter({ value, onChange }: { value: string; onChange: (plan: string) => void }) {
  const names = usePlanNames() ?? []
  return (
    <Choice
      label="Plan"
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: common.all },
        // A plan that is not on the first page is still the one that is set.
        ...[...new Set([...(value ? [value] : []), ...names])].map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}
