import { useState } from 'react'
import { useLocation } from 'wouter'
import { session } from '../../api/session.ts'
import { common } from '../../text/common.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { required } from '../../ui/forms/rules.ts'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

/** A new database for a client; a customer makes its own. */
export function CreateDatabase({ cliente, close }: { cliente: string | undefined; close: () => void }) {
  const now = session.use()
  const own = now.kind === 'in' ? (now.person.cliente ?? '') : ''
  const [base, setBase] = useState('')
  return (
    <OpForm
      op="POST /api/bases"
      input={{ body: { cliente: cliente ?? own, base: base.trim() } }}
      submit={texts.createIt}
      cancel={close}
      done={({ data }) => {
        announce(texts.created(data.base))
        close()
      }}
    >
      {(error) => (
        <TextField
          mono
          label={texts.suffix}
          description={texts.suffixHint}
          placeholder="tienda"
          value={base}
          error={error('base')}
          onChange={setBase}
          check={required}
          autoFocus
        />
      )}
    </OpForm>
  )
}

/** Deletes a database, once its name has been typed. */
export function RemoveDatabase({ base, close }: { base: string; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <OpForm
      op="DELETE /api/bases/:base"
      input={{ params: { base } }}
      submit={texts.deleteForGood}
      danger
      disabled={typed.trim() !== base}
      cancel={close}
      done={({ data }) => {
        const told = 'eliminado' in data ? texts.deleted(base) : texts.beingDeleted(base)
        announce(
          data.copia_previa === 'limite' ? `${told} ${texts.notCopied}` : told,
          () => navigate('/panel/papelera'),
          common.lookIntoBin,
        )
        close()
      }}
    >
      {() => (
        <>
          <Note tone="warn" title={texts.programsStop}>
            <p>{texts.whatDeletingDoes}</p>
          </Note>
          <TextField mono label={texts.typeToConfirm(base)} value={typed} onChange={setTyped} autoFocus />
        </>
      )}
    </OpForm>
  )
}
