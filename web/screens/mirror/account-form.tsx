import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import type { InputOf } from '../../api/operations.ts'
import { t } from '../../i18n/language.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Account } from './account.tsx'
import { providerKinds } from './words.ts'

type Props = { node: string | undefined; account: Account | null; done: () => void; cancel?: () => void }

/** The provider account of a node: its credential is typed once, checked live, and never shown again. */
export function AccountForm({ node, account, done, cancel }: Props) {
  const kinds = providerKinds()
  const [tipo, setTipo] = useState(account?.tipo ?? kinds[0]?.kind ?? '')
  const [credencial, setCredencial] = useState('')
  const [cuenta, setCuenta] = useState(account?.cuenta ?? '')
  const [url, setUrl] = useState(account?.url ?? '')
  const [limit, setLimit] = useState(account?.cuota.origen === 'admin' ? String(account.cuota.limite) : '')
  const kind = kinds.find((one) => one.kind === tipo)
  const body: Required<InputOf<'PUT /api/dns/proveedor'>>['body'] = {
    tipo,
    credencial,
    ...(kind?.ownUrl ? { url: url.trim() || null } : {}),
    ...(tipo === 'cloudflare' && cuenta.trim() ? { cuenta: cuenta.trim() } : {}),
    ...(limit.trim() ? { limite_zonas: Number(limit) } : {}),
  }
  return (
    <OpForm
      op="PUT /api/dns/proveedor"
      input={{ query: node ? { nodo: node } : {}, body }}
      submit={t('Check and store', 'Comprobar y guardar')}
      {...(cancel ? { cancel } : {})}
      done={() => {
        setCredencial('')
        announce(
          t(
            'The credential works and is stored encrypted',
            'La credencial funciona y queda guardada cifrada',
          ),
        )
        done()
      }}
    >
      {(error) => (
        <>
          <Choice
            label={t('Provider', 'Proveedor')}
            value={tipo}
            onChange={setTipo}
            error={error('tipo')}
            options={kinds.map(({ kind, name }) => ({ value: kind, label: name }))}
          />
          {kind?.ownUrl ? (
            <TextField
              mono
              label={t('Address of its API', 'Dirección de su API')}
              placeholder="https://dns.example:8081"
              value={url}
              error={error('url')}
              onChange={setUrl}
            />
          ) : null}
          <PasswordInput
            className="input-mono"
            label={kind?.credential ?? t('Credential', 'Credencial')}
            description={kind?.scope}
            value={credencial}
            error={error('credencial')}
            onChange={(event) => setCredencial(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            visibilityToggleButtonProps={{
              'aria-label': t('Show or hide the credential', 'Mostrar u ocultar la credencial'),
              tabIndex: 0,
            }}
          />
          <Note
            tone="info"
            title={t(
              'The panel cannot verify what this token may do.',
              'El panel no puede comprobar qué permite este token.',
            )}
          >
            <p>
              {t(
                'Limit it at the provider to the zones and permissions needed. It is stored encrypted and is never shown again.',
                'Limítelo en el proveedor a las zonas y permisos necesarios. Se guarda cifrado y no se vuelve a mostrar.',
              )}
            </p>
          </Note>
          <div className="pair">
            {tipo === 'cloudflare' ? (
              <TextField
                mono
                label={t('Account id (optional)', 'Id de cuenta (opcional)')}
                value={cuenta}
                error={error('cuenta')}
                onChange={setCuenta}
              />
            ) : null}
            <TextField
              label={t('Zone limit of the account (optional)', 'Límite de zonas de la cuenta (opcional)')}
              description={t(
                'Counts where the provider’s API does not tell one.',
                'Vale si la API del proveedor no indica uno.',
              )}
              value={limit}
              error={error('limite_zonas')}
              onChange={(value) => setLimit(value.replace(/\D/g, ''))}
            />
          </div>
        </>
      )}
    </OpForm>
  )
}
