import { useState } from 'react'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Deleted } from './data.ts'
import { texts } from './texts.ts'

/** Deletes an entry for good, once its name has been typed. */
export function Purge({ entry: { id, nombre }, close }: { entry: Deleted; close: () => void }) {
  const [typed, setTyped] = useState('')
  return (
    <OpForm
      op="DELETE /api/papelera/:id"
      input={{ params: { id }, body: { confirmar: typed.trim() } }}
      submit={texts.purgeIt}
      danger
      disabled={typed.trim() !== nombre}
      cancel={close}
      done={({ data }) => {
        announce('eliminado' in data ? texts.purged(nombre) : texts.beingPurged(nombre))
        close()
      }}
    >
      {(error) => (
        <>
          <Note tone="warn" title={texts.purgeWarning} />
          <TextField
            mono
            label={texts.typeToConfirm(nombre)}
            value={typed}
            error={error('confirmar')}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
