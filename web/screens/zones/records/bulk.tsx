import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { counted } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { type Edit, importOf, type Records, type Rrset, ttlOf } from './records-data.ts'
import { texts } from './texts.ts'

type Props = {
  zona: string
  records: Records
  chosen: Rrset[]
  clear: () => void
  done: (edit: Edit, etag: string | null) => void
}

/** What can be done to all record sets that are chosen, as one change. */
export function Bulk({ zona, records, chosen, clear, done }: Props) {
  const [ttl, setTtl] = useState('')
  const action = useAction('POST /api/zonas/:zona/importar')
  const seconds = ttlOf({ ttl })
  const apply = async (edit: Edit) => {
    const answer = await action.run(importOf(zona, records.rows, edit), { ifMatch: records.etag })
    if (answer && answer.data.rechazados.length === 0) done(edit, answer.etag)
  }
  const retime = (event: FormEvent) => {
    event.preventDefault()
    if (!Number.isNaN(seconds))
      void apply({ put: chosen.map((one) => ({ ...one, ttl: seconds })), remove: [] })
  }
  return (
    <section className="rr-bulk" aria-label={texts.chosenSets}>
      <form className="rr-bulk-line" onSubmit={retime} noValidate>
        <b>{counted(chosen.length, texts.chosenOne, texts.chosenMany)}</b>
        <TextField mono label="TTL" placeholder="1h" value={ttl} onChange={setTtl} />
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={Number.isNaN(seconds)}
          loading={action.busy}
        >
          {texts.setTtl}
        </Button>
        <Button
          size="xs"
          variant="default"
          color="red"
          loading={action.busy}
          onClick={() => void apply({ put: [], remove: chosen })}
        >
          {common.delete}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          {texts.chooseNone}
        </Button>
      </form>
      {action.error ? <ErrorNote error={action.error} focus /> : null}
    </section>
  )
}
