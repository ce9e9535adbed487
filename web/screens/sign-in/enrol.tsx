import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { type Totp, TotpSecret } from '../../ui/factor/factor.tsx'
import { Code } from '../../ui/forms/credentials.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { texts } from './texts.ts'

/** Enrols the first second factor and completes the sign-in. */
export function Enrol({
  token,
  totp,
  done,
}: {
  token: string
  totp: Totp
  done: (answer: OutputOf<'POST /acceso/segundo-factor/inscribir'>) => void
}) {
  const [codigo, setCodigo] = useState('')
  return (
    <OpForm
      op="POST /acceso/segundo-factor/inscribir"
      input={{ body: { paso_token: token, codigo: codigo.replace(/\s+/g, '') } }}
      submit={texts.confirm}
      done={({ data }) => done(data)}
    >
      {(error) => (
        <>
          <TotpSecret totp={totp} />
          <Code digits value={codigo} onChange={setCodigo} error={error('codigo')} />
        </>
      )}
    </OpForm>
  )
}
