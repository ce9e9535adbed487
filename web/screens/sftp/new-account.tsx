import { useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { isSuffix, optional } from '../../ui/forms/rules.ts'
import type { Account } from './data.ts'
import { texts } from './texts.ts'

type Props = { cliente: string; close: () => void; made: (account: Account) => void }

/** An account is made without any credential: what it needs next is asked then. */
export function NewAccount({ cliente, close, made }: Props) {
  const [ending, setEnding] = useState('')
  const [sitio, setSitio] = useState('')
  const sites = usePages('GET /api/sitios', { query: { cliente, limite: '200' } })
  const name = ending ? `${cliente}_${ending}` : cliente
  const body = {
    ...(ending ? { cuenta: name } : {}),
    ...(sitio ? { sitio } : {}),
  }
  return (
    <OpForm
      op="POST /api/clientes/:cliente/cuentas-sftp"
      input={{ params: { cliente }, body }}
      submit={texts.createTheAccount}
      cancel={close}
      done={({ data }) => made(data)}
    >
      {(error) => (
        <>
          <TextField
            mono
            autoFocus
            label={texts.accountName}
            description={texts.accountNameHint(name)}
            value={ending}
            onChange={setEnding}
            check={optional(isSuffix)}
            max={16}
            error={error('cuenta')}
          />
          <Choice
            label={texts.site}
            description={texts.siteHint}
            value={sitio}
            onChange={setSitio}
            options={[
              { value: '', label: texts.allSites },
              ...sites.rows.map(({ domain, domain_unicode }) => ({ value: domain, label: domain_unicode })),
            ]}
            error={error('sitio')}
          />
        </>
      )}
    </OpForm>
  )
}
