import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { session } from '../../api/session.ts'
import { sitePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ClientField, HostField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { NewAliasesFields } from './new-aliases.tsx'
import { siteNamesOf } from './new-names.ts'
import { texts } from './texts.ts'

/** A site for a client; an admin may force a name that the rules on neighbours would refuse. */
export function NewSite({
  cliente: fixed,
  suggested = '',
  opened,
  close,
}: {
  cliente?: string
  /** The domain that its field begins with. */
  suggested?: string
  opened: boolean
  close: () => void
}) {
  return (
    <Dialog title={texts.newSite} opened={opened} close={close}>
      <WhileThereIsRoom cliente={fixed ?? ''}>
        <Fields fixed={fixed ?? ''} suggested={suggested} close={close} />
      </WhileThereIsRoom>
    </Dialog>
  )
}

/** Where the plan has no room for one more, that is said before anything is typed. */
function WhileThereIsRoom({ cliente, children }: { cliente: string; children: ReactNode }) {
  const use = useRead('GET /api/clientes/:cliente/uso', { params: { cliente } }, { enabled: cliente !== '' })
  const { usado, limite } = use.data?.consumo.sitios ?? { usado: 0, limite: null }
  if (limite === null || usado === null || usado < limite) return children
  return (
    <Note
      tone="warn"
      title={limite === 1 && usado === 1 ? texts.planOfOne : texts.planIsFull(number(limite), number(usado))}
    >
      <p>{texts.whenPlanIsFull}</p>
    </Note>
  )
}

function Fields({ fixed, suggested, close }: { fixed: string; suggested: string; close: () => void }) {
  const [cliente, setCliente] = useState(fixed)
  const [domain, setDomain] = useState(suggested)
  // Nobody looks for www before a name that has a word of its own.
  const [names, setNames] = useState({ aliases: '', www: suggested === '' })
  const [forzar, setForzar] = useState(false)
  const [, navigate] = useLocation()
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <OpForm
      op="POST /api/sitios"
      input={{ body: { cliente, ...siteNamesOf({ domain, ...names }), ...(forzar ? { forzar } : {}) } }}
      submit={common.create}
      cancel={close}
      done={({ data, status }) => {
        if (status === 200) announce(texts.siteIsThere)
        close()
        navigate(sitePath(data.domain))
      }}
    >
      {(error) => (
        <>
          {fixed ? null : (
            <ClientField
              label={common.client}
              value={cliente}
              onChange={setCliente}
              error={error('cliente')}
            />
          )}
          <HostField
            label={common.domain}
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
              label={texts.overrideNeighbours}
              description={texts.overrideHint}
            />
          ) : null}
        </>
      )}
    </OpForm>
  )
}
