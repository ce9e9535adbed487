import type { Job } from '../../api/job.ts'
import type { OutputOf } from '../../api/operations.ts'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

type Plan = Extract<OutputOf<'POST /api/papelera/:id/restaurar'>, { omitidos: unknown }>

/** A setting of a deleted site that does not come back. */
export type Left = Plan['omitidos'][number]

/** Those that the result of the work tells. */
export const leftOutOf = (told: NonNullable<Job['resultado']>[string] | undefined): Left[] =>
  Array.isArray(told) ? told : []

/** What of a site's settings does not come back, and why. */
export function LeftOut({ title, left }: { title: string; left: Left[] }) {
  if (left.length === 0) return null
  return (
    <Note tone="warn" title={title}>
      <ul className="watch">
        {left.map(({ ajuste, nombre, motivo }) => (
          <li key={`${ajuste} ${nombre}`}>
            <b>{texts[ajuste](nombre)}</b>. {REASONS[motivo] ?? texts.isRefused}
          </li>
        ))}
      </ul>
    </Note>
  )
}

const REASONS: Record<string, string> = {
  dominio_ocupado: texts.isTaken,
  datos_invalidos: texts.isUnusable,
  limite_del_plan: texts.noRoom,
  funcion_de_pago: texts.notInPlan,
  php_no_disponible: texts.versionGone,
  base_no_existe: texts.databaseFirst,
  ya_existe: texts.hasOne,
  otro_sitio: texts.ofAnother,
}
