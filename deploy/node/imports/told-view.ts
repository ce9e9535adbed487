import type { Plan } from '../../../lib/imports/planned.ts'
import { planView } from '../../../lib/imports/view.ts'
import type { Job } from '../../../lib/work/jobs.ts'
import { jobView } from '../../../lib/work/view.ts'
import type { Output } from '../commands/output.ts'

export function tellPlan(planned: Plan, output: Output): void {
  const plan = planView(planned)
  output.line(plan, [
    ...plan.toma.map(({ tipo, nombre }) => `takes   ${tipo} ${nombre}`),
    ...plan.cambia.map(({ tipo, nombre, que, de, a }) => `changes ${tipo} ${nombre}: ${que} ${de} -> ${a}`),
    ...plan.deja.map(({ tipo, nombre, motivo }) => `leaves  ${tipo} ${nombre}: ${motivo}`),
    ...(plan.deja_mas ? ['leaves  more'] : []),
    ...plan.excesos.map(({ recurso, usado, limite }) => `refused ${recurso}: ${usado} of ${limite}`),
  ])
}

type Told = { tipo: string; nombre: string; codigo?: string }

/** Answers whether all of it was done. */
export function tellWork(job: Job, output: Output): boolean {
  const work = jobView(job, 'en')
  const of = (key: string) => (work.resultado?.[key] ?? []) as Told[] // As `resultView` wrote it.
  const failed = of('fallidos')
  output.line(work, [
    ...(work.estado === 'hecha' ? [] : [`${work.estado}: ${work.error ?? ''}`]),
    ...of('hechos').map(({ tipo, nombre }) => `done    ${tipo} ${nombre}`),
    ...failed.map(({ tipo, nombre, codigo }) => `failed  ${tipo} ${nombre}: ${codigo}`),
  ])
  return work.estado === 'hecha' && failed.length === 0
}
