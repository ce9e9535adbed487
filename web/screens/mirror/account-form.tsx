import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { Choice, TextField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Account } from './data.ts'
import { texts } from './texts.ts'
import { providerKinds } from './words.ts'

type Props = { node: string | undefined; account: Account | null; done: () => void; cancel?: () => void }

type Typed = { tipo: string; credencial: string; cuenta: string; url: string; limit: string }

/** The provider account of a node: its credential is typed once, checked live, and never shown again. */
export function AccountForm({ node, account, done, cancel }: Props) {
  const [typed, setTyped] = useState<Typed>({
    tipo: account?.tipo ?? providerKinds()[0]?.kind ?? '',
    credencial: '',
    cuenta: account?.cuenta ?? '',
    url: account?.url ?? '',
    limit: account?.cuota.origen === 'admin' ? String(account.cuota.limite) : '',
  })
  return (
    <OpForm
      op="PUT /api/dns/proveedor"
      input={{ query: node ? { nodo: node } : {}, body: bodyOf(typed) }}
      submit={texts.checkAndStore}
      {...(cancel ? { cancel } : {})}
      done={() => {
        setTyped((now) => ({ ...now, credencial: '' }))
        announce(texts.credentialStored)
        done()
      }}
    >
      {(error) => (
        <Fields typed={typed} set={(change) => setTyped((now) => ({ ...now, ...change }))} error={error} />
      )}
    </OpForm>
  )
}

const kindOf = (tipo: string) => providerKinds().find(({ kind }) => kind === tipo)

function bodyOf({ tipo, credencial, cuenta, url, limit }: Typed) {
  return {
    tipo,
    credencial,
    ...(kindOf(tipo)?.ownUrl ? { url: url.trim() || null } : {}),
    ...(tipo === 'cloudflare' && cuenta.trim() ? { cuenta: cuenta.trim() } : {}),
    ...(limit.trim() ? { limite_zonas: Number(limit) } : {}),
  }
}

type FieldsProps = { typed: Typed; set: (change: Partial<Typed>) => void; error: FieldErrors }

function Fields({ typed: { tipo, credencial, cuenta, url, limit }, set, error }: FieldsProps) {
  const kind = kindOf(tipo)
  return (
    <>
      <Choice
        label={texts.provider}
        value={tipo}
        onChange={(tipo) => set({ tipo })}
        error={error('tipo')}
        options={providerKinds().map(({ kind, name }) => ({ value: kind, label: name }))}
      />
      {kind?.ownUrl ? (
        <TextField
          mono
          label={texts.addressOfItsApi}
          placeholder="https://dns.example:8081"
          value={url}
          error={error('url')}
          onChange={(url) => set({ url })}
        />
      ) : null}
      <PasswordInput
        className="input-mono"
        label={kind?.credential ?? texts.credential}
        description={kind?.scope}
        value={credencial}
        error={error('credencial')}
        onChange={(event) => set({ credencial: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
        visibilityToggleButtonProps={{
          'aria-label': texts.showOrHideCredential,
          tabIndex: 0,
        }}
      />
      <Note tone="info" title={texts.tokenUnverified}>
        <p>{texts.limitTheToken}</p>
      </Note>
      <div className="pair">
        {tipo === 'cloudflare' ? (
          <TextField
            mono
            label={texts.accountIdOptional}
            value={cuenta}
            error={error('cuenta')}
            onChange={(cuenta) => set({ cuenta })}
          />
        ) : null}
        <TextField
          label={texts.zoneLimitOptional}
          description={texts.limitHint}
          value={limit}
          error={error('limite_zonas')}
          onChange={(value) => set({ limit: value.replace(/\D/g, '') })}
        />
      </div>
    </>
  )
}
