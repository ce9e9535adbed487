import { Link } from 'wouter'
import { Choice } from '../../ui/forms/fields.tsx'
import { Note } from '../../ui/state.tsx'
import { usePlanNames } from './names.tsx'
import { texts } from './texts.ts'

/** A plan's name, null for none by choice, undefined while nothing is chosen. */
export type PlanChoice = string | null | undefined

const NONE = 'none'

/** A plan by its exact name. Having none means no limits at all, so it is only ever chosen, and said. */
export function PlanField({
  value,
  onChange,
  error,
  tried = false,
}: {
  value: PlanChoice
  onChange: (plan: PlanChoice) => void
  error?: string | undefined
  tried?: boolean
}) {
  const names = usePlanNames()
  const offered = [...new Set([...(value ? [value] : []), ...(names ?? [])])]
  const missing = tried && value === undefined ? texts.chooseAPlan : undefined
  return (
    <>
      <Choice
        label="Plan"
        value={value === undefined ? '' : value === null ? NONE : `=${value}`}
        onChange={(next) => onChange(next === '' ? undefined : next === NONE ? null : next.slice(1))}
        error={missing ?? error}
        options={[
          ...(value === undefined ? [{ value: '', label: texts.choose }] : []),
          ...offered.map((name) => ({ value: `=${name}`, label: name })),
          { value: NONE, label: texts.noPlanNoLimits },
        ]}
      />
      {value === null ? <NoLimits /> : null}
      {names?.length === 0 && value === undefined ? (
        <p className="faint small">
          {texts.noPlanYet} <Link href="/panel/planes">{texts.makeOneFirst}</Link>
        </p>
      ) : null}
    </>
  )
}

/** What is chosen where nobody chose yet: the plan, if there is exactly one. */
export function usePlanChoice(chosen: PlanChoice): PlanChoice {
  const names = usePlanNames()
  return chosen === undefined && names?.length === 1 ? names[0] : chosen
}

function NoLimits() {
  return (
    <Note tone="warn" title={texts.withoutPlanNothingLimited}>
      <p>{texts.whatNoPlanMeans}</p>
    </Note>
  )
}
