import { useState } from 'react'
import { common } from '../../text/common.ts'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

/** Changing the address by which a login can be recovered takes the caller's own password. */
export function Email({ cliente, correo: before }: { cliente: string; correo: string | null }) {
  const [correo, setCorreo] = useState(before ?? '')
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="PUT /api/clientes/:cliente/correo"
      input={{ params: { cliente }, body: { correo, contrasena } }}
      submit={common.change}
      disabled={correo === (before ?? '') || contrasena === ''}
      done={({ status }) => {
        setContrasena('')
        announce(status === 202 ? texts.confirmAddressMail(correo) : texts.addressChanged)
      }}
    >
      {(error) => (
        <>
          <EmailField label={common.eMail} value={correo} onChange={setCorreo} error={error('correo')} />
          <OwnPassword value={contrasena} onChange={setContrasena} error={error('contrasena')} />
        </>
      )}
    </OpForm>
  )
}
