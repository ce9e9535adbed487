import type { Plan } from '../../../lib/imports/planned.ts'
import type { PlanView } from '../../../lib/imports/shapes.ts'
import { planView } from '../../../lib/imports/view.ts'
import type { Job } from '../../../lib/work/jobs.ts'
import { jobView } from '../../../lib/work/view.ts'
import type { Output } from '../commands/output.ts'

/** Answers whether it would be begun. */
export function tellPlan(planned: Plan, output: Output): boolean {
  const plan = planView(planned)
  output.line(plan, [
    ...plan.toma.map(({ tipo, nombre }) => `takes   ${tipo} ${nombre}`),
    ...plan.cambia.map(changeLine),
    ...leftLines(plan),
    ...plan.excesos.map(({ recurso, usado, limite }) => `refused ${recurso}: ${usado} of ${limite}`),
  ])
  return plan.excesos.length === 0
}

const leftLines = ({ deja, deja_mas: more }: Pick<PlanView, 'deja' | 'deja_mas'>): string[] => [
  ...deja.map(({ tipo, nombre, motivo }) => `leaves  ${tipo} ${nombre}: ${motivo}`),
  ...(more ? ['leaves  more'] : []),
]

type Changed = { tipo: string; nombre: string; que: string; de: string; a: string }

/** One thing that is otherwise here than it was. */
function changeLine({ tipo, nombre, que, de, a }: Changed): string {
  const of = `changes ${tipo} ${nombre}:`
  if (que === 'contrasena_nueva') return `${of} protected ${de}, needs a new password for ${a}`
  if (que === 'cerrada') return `${of} closed ${de}, nobody gets in`
  return `${of} ${que} ${de} -> ${a}`
}

type Told = { tipo: string; nombre: string; codigo?: string }

/** Answers whether all of it was done. */
export function tellWork(job: Job, output: Output): boolean {
  const work = jobView(job, 'en')
  const of = (key: string) => (work.resultado?.[key] ?? []) as Told[] // As `resultView` wrote it.
  const failed = of('fallidos')
  const changed = (work.resultado?.cambia ?? []) as Changed[]
  const left = (work.resultado ?? {}) as Partial<Pick<PlanView, 'deja' | 'deja_mas'>>
  output.line(work, [
    ...(work.estado === 'hecha' ? [] : [`${work.estado}: ${work.error ?? ''}`]),
    ...of('hechos').map(({ tipo, nombre }) => `done    ${tipo} ${nombre}`),
    ...changed.map(changeLine),
    ...failed.map(({ tipo, nombre, codigo }) => `failed  ${tipo} ${nombre}: ${codigo}`),
    ...leftLines({ deja: left.deja ?? [], deja_mas: left.deja_mas === true }),
  ])
  return work.estado === 'hecha' && failed.length === 0
}
