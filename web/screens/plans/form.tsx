import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { functionName } from '../../i18n/states.ts'
import { TextField } from '../../ui/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/form.tsx'
import { RESOURCES } from '../../ui/meter.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { LimitField } from './limit-field.tsx'
import { type Limits, limitsOf, type Plan, valuesOf } from './limits.ts'

type PlanFunction = Plan['funciones'][number]

const FUNCTIONS: PlanFunction[] = ['php', 'https', 'espejo_dns']

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
  const common = {
    complete: values !== null,
    cancel: close,
    done: () => {
      announce(t('Saved.', 'Guardado.'))
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
        submit={t('Create', 'Crear')}
        {...common}
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
      submit={t('Save', 'Guardar')}
      {...common}
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
        label={t('Name', 'Nombre')}
        description={t(
          'Billing systems name a plan by exactly this.',
          'Los sistemas de facturación lo nombran exactamente así.',
        )}
        value={draft.name}
        onChange={(name) => set({ ...draft, name })}
        error={error('plan')}
        max={64}
        autoFocus
      />
      <p className="faint small">
        {t(
          'Sizes with their unit: 500 MB, 10 GB, 1.5 TB. GB and GiB are the same here, 1,024³ bytes.',
          'Los tamaños llevan su unidad: 500 MB, 10 GB, 1,5 TB. GB y GiB son aquí lo mismo, 1.024³ bytes.',
        )}
      </p>
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
      <Functions chosen={draft.functions} onChange={(functions) => set({ ...draft, functions })} />
      {plan && plan.clientes > 0 ? (
        <Note
          tone="info"
          title={`${t('Clients with this plan:', 'Clientes con este plan:')} ${number(plan.clientes)}`}
        />
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
      <legend>{t('Functions', 'Funciones')}</legend>
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
