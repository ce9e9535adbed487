import { Link } from 'wouter'
import { t } from '../../i18n/language.ts'
import { Choice, usePlanNames } from '../../ui/fields.tsx'
import { Note } from '../../ui/state.tsx'

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
  const missing = tried && value === undefined ? t('Choose a plan.', 'Elija un plan.') : undefined
  return (
    <>
      <Choice
        label="Plan"
        value={value === undefined ? '' : value === null ? NONE : `=${value}`}
        onChange={(next) => onChange(next === '' ? undefined : next === NONE ? null : next.slice(1))}
        error={missing ?? error}
        options={[
          ...(value === undefined ? [{ value: '', label: t('Choose…', 'Elija…') }] : []),
          ...offered.map((name) => ({ value: `=${name}`, label: name })),
          { value: NONE, label: t('No plan, no limits', 'Sin plan, sin límites') },
        ]}
      />
      {value === null ? <NoLimits /> : null}
      {names?.length === 0 && value === undefined ? (
        <p className="faint small">
          {t('There is no plan yet.', 'Aún no hay planes.')}{' '}
          <Link href="/panel/planes">{t('Make one first', 'Cree uno antes')}</Link>
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
    <Note tone="warn" title={t('Without a plan nothing is limited.', 'Sin plan no hay ningún límite.')}>
      <p>
        {t(
          'The client may fill the disk and make any number of sites and zones.',
          'El cliente puede llenar el disco y crear sitios y zonas sin fin.',
        )}
      </p>
    </Note>
  )
}
