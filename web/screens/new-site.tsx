import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { session } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ClientField, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { aliasesOf, NewAliasesFields } from './new-aliases.tsx'
import { sitePath } from './places.ts'

/** A site for a client; an admin may force a name that the rules on neighbours would refuse. */
export function NewSite({
  cliente: fixed,
  opened,
  close,
}: {
  cliente?: string
  opened: boolean
  close: () => void
}) {
  return (
    <Dialog title={t('New site', 'Sitio nuevo')} opened={opened} close={close}>
      <Fields fixed={fixed ?? ''} close={close} />
    </Dialog>
  )
}

function Fields({ fixed, close }: { fixed: string; close: () => void }) {
  const [cliente, setCliente] = useState(fixed)
  const [domain, setDomain] = useState('')
  const [names, setNames] = useState({ aliases: '', www: true })
  const [forzar, setForzar] = useState(false)
  const [, navigate] = useLocation()
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <OpForm
      op="POST /api/sitios"
      input={{ body: { cliente, domain, ...aliasesOf({ domain, ...names }), ...(forzar ? { forzar } : {}) } }}
      submit={t('Create', 'Crear')}
      cancel={close}
      done={({ data }) => {
        close()
        navigate(sitePath(data.domain))
      }}
    >
      {(error) => (
        <>
          {fixed ? null : (
            <ClientField
              label={t('Client', 'Cliente')}
              value={cliente}
              onChange={setCliente}
              error={error('cliente')}
            />
          )}
          <TextField
            mono
            label={t('Domain', 'Dominio')}
            value={domain}
            onChange={setDomain}
            error={error('domain')}
            placeholder="ejemplo.es"
            autoFocus
          />
          <NewAliasesFields
            value={{ domain, ...names }}
            set={(change) => setNames({ ...names, ...change })}
            error={error}
          />
          {admin ? (
            <Checkbox
              checked={forzar}
              onChange={(event) => setForzar(event.currentTarget.checked)}
              label={t('Override the rules on neighbouring names', 'Saltar las reglas sobre nombres vecinos')}
              description={t(
                "For a name below or above another client's. Recorded in the audit trail.",
                'Para un nombre por debajo o por encima del de otro cliente. Queda en la auditoría.',
              )}
            />
          ) : null}
        </>
      )}
    </OpForm>
  )
}
