import type { ReactNode } from 'react'
import { useAction } from '../../api/hooks.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import type { Deleted } from './data.ts'
import { texts } from './texts.ts'

type Props = {
  entry: Deleted
  /** What is created: the site or the database that gets what was deleted. */
  name: string
  body: { sitio?: string; base?: string }
  begun: (job: string) => void
  close: () => void
  children: ReactNode
}

/** Creates a site or a database again, and restores into it once it is there. */
export function Recreate({ entry, name, body, begun, close, children }: Props) {
  const restore = useAction('POST /api/papelera/:id/restaurar')
  const cliente = entry.cliente ?? ''
  const created = async () => {
    const answer = await restore.run({ params: { id: entry.id }, query: {}, body })
    if (answer && 'tarea' in answer.data) begun(answer.data.tarea.id)
  }
  const rest = { submit: texts.createAndRestore, disabled: restore.busy, cancel: close, done: created }
  const inside = () => (
    <>
      {children}
      {restore.error ? <ErrorNote error={restore.error} /> : null}
    </>
  )
  return entry.tipo === 'sitio' ? (
    // The names that it had come back with its settings; it gets no other.
    <OpForm op="POST /api/sitios" input={{ body: { cliente, domain: name, aliases: [] } }} {...rest}>
      {inside}
    </OpForm>
  ) : (
    <OpForm op="POST /api/bases" input={{ body: { cliente, base: name } }} {...rest}>
      {inside}
    </OpForm>
  )
}
