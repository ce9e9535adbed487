import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { functionName } from '../../text/states.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { RESOURCES } from '../../ui/meter.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { LimitField } from './limit-field.tsx'
import { isUnsaid, type Limits, limitsOf, type Plan, restUnlimited, valuesOf } from './limits.ts'
import { texts } from './texts.ts'

type PlanFunction = Plan['funciones'][number]

const FUNCTIONS: PlanFunction[] = [
  'php',
  'https',
  'espejo_dns',
  'sftp',
  'bases',
  'archivos',
  'programadas',
  'aplicaciones',
  'copias',
]

type Draft = { name: string; limits: Limits; functions: PlanFunction[] }

/** Makes a plan, or changes one. Nothing is sent while a limit cannot be read. */
export function PlanForm({ plan, close }: { plan: Plan | null; close: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => ({
    name: plan?.plan ?? '',
    limits: limitsOf(plan),
    functions: plan?.funciones ?? FUNCTIONS,
  }))
  const values = valuesOf(draft.limits)
  const body = { ...values, funciones: draft.functions }
  const shared = {
    complete: values !== null,
    cancel: close,
    done: () => {
      announce(common.saved)
      close()
    },
  }
  const fields = (error: FieldErrors, tried: boolean) => (
    <Fields draft={draft} set={setDraft} plan={plan} error={error} tried={tried} />
  )
  if (!plan) {
    return (
      <OpForm
        op="POST /api/planes"
        input={{ body: { plan: draft.name, ...body } }}
        submit={common.create}
        {...shared}
      >
        {fields}
      </OpForm>
    )
  }
  const renamed = draft.name === plan.plan ? {} : { plan: draft.name }
  return (
    <OpForm
      op="PATCH /api/planes/:plan"
      input={{ params: { plan: plan.plan }, body: { ...renamed, ...body } }}
      submit={common.save}
      {...shared}
    >
      {fields}
    </OpForm>
  )
}

type FieldsProps = {
  draft: Draft
  set: (draft: Draft) => void
  plan: Plan | null
  error: FieldErrors
  tried: boolean
}

function Fields({ draft, set, plan, error, tried }: FieldsProps) {
  return (
    <>
      <TextField
        label={common.name}
        description={texts.planNameHint}
        value={draft.name}
        onChange={(name) => set({ ...draft, name })}
        error={error('plan')}
        check={required}
        max={64}
        autoFocus
      />
      <p className="faint small">{texts.limitsHint}</p>
      <div className="pair">
        {RESOURCES.map((resource) => (
          <LimitField
            key={resource}
            resource={resource}
            limit={draft.limits[resource]}
            onChange={(limit) => set({ ...draft, limits: { ...draft.limits, [resource]: limit } })}
            error={error(resource)}
            tried={tried}
          />
        ))}
      </div>
      {isUnsaid(draft.limits) ? (
        <div>
          <SmallButton onClick={() => set({ ...draft, limits: restUnlimited(draft.limits) })}>
            {texts.restUnlimited}
          </SmallButton>
        </div>
      ) : null}
      <Functions chosen={draft.functions} onChange={(functions) => set({ ...draft, functions })} />
      {plan && plan.clientes > 0 ? (
        <Note tone="info" title={`${texts.clientsWithThisPlan} ${number(plan.clientes)}`} />
      ) : null}
    </>
  )
}

function Functions({
  chosen,
  onChange,
}: {
  chosen: PlanFunction[]
  onChange: (functions: PlanFunction[]) => void
}) {
  return (
    <fieldset className="checks">
      <legend className="field-label">{texts.functions}</legend>
      {FUNCTIONS.map((one) => (
        <Checkbox
          key={one}
          label={functionName(one)}
          checked={chosen.includes(one)}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
          }
        />
      ))}
    </fieldset>
  )
}
