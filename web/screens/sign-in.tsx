import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../api/operations.ts'
import { type Person, session, signIn } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { OpForm } from '../ui/form.tsx'
import { Note } from '../ui/state.tsx'
import { Enrol, RecoveryCodes } from './enrol.tsx'
import { Entrance } from './entrance.tsx'
import { Forgotten } from './forgotten.tsx'

type Step = OutputOf<'POST /acceso/entrar'>
type SignedIn = OutputOf<'POST /acceso/segundo-factor'>

/** Over a screen whose session was ended: who had it, and what to do with the new one. */
export type Again = { person: Person; done: (answer: SignedIn) => void }

/** Sign-in: address and password, then the second factor (contract section 4.6). */
export function SignIn({ again }: { again?: Again }) {
  const [step, setStep] = useState<Step | 'forgotten' | null>(null)
  const [account, setAccount] = useState({ correo: again?.person.correo ?? '', contrasena: '' })
  const [codes, setCodes] = useState<SignedIn | null>(null)
  const ended = session.use()
  const enter = again?.done ?? signIn
  const cliente = again?.person.cliente
  if (codes?.codigos_recuperacion) {
    return (
      <Entrance title={t('Recovery codes', 'Códigos de recuperación')}>
        <RecoveryCodes codes={codes.codigos_recuperacion} done={() => enter(codes)} />
      </Entrance>
    )
  }
  if (step === 'forgotten') return <Forgotten email={account.correo} back={() => setStep(null)} />
  if (step?.paso === 'segundo_factor') {
    return <SecondFactor token={step.paso_token} back={() => setStep(null)} done={enter} />
  }
  if (step?.paso === 'inscribir') {
    return (
      <Entrance
        title={t('Second factor', 'Segundo factor')}
        lead={t(
          'Your password is set; this step was left open.',
          'Su contraseña ya está; este paso quedó pendiente.',
        )}
      >
        <Enrol token={step.paso_token} totp={step.totp} done={setCodes} />
      </Entrance>
    )
  }
  if (step?.paso === 'elegir') {
    return <Choose clients={step.clientes} account={account} done={setStep} />
  }
  return (
    <Entrance title={t('Sign in', 'Entrar')}>
      {again || (ended.kind === 'out' && ended.why === 'ended') ? (
        <Note
          tone="info"
          title={t('Your session has ended. Sign in again.', 'Su sesión terminó. Entre de nuevo.')}
        />
      ) : null}
      <OpForm
        op="POST /acceso/entrar"
        input={{ body: { ...account, ...(cliente ? { cliente } : {}) } }}
        submit={t('Sign in', 'Entrar')}
        done={({ data }) => setStep(data)}
        beside={
          again ? null : (
            <button type="button" className="link-button" onClick={() => setStep('forgotten')}>
              {t('Send me another link', 'Envíenme otro enlace')}
            </button>
          )
        }
      >
        {(error) => (
          <>
            <TextInput
              label={t('E-mail', 'Correo')}
              type="email"
              name="username"
              autoComplete="username"
              value={account.correo}
              error={error('correo')}
              onChange={(event) => setAccount({ ...account, correo: event.currentTarget.value })}
              readOnly={again !== undefined}
              {...(again ? {} : { 'data-autofocus': true, autoFocus: true })}
              required
              withAsterisk={false}
            />
            <Password
              value={account.contrasena}
              label={t('Password', 'Contraseña')}
              autoComplete="current-password"
              autoFocus={again !== undefined}
              error={error('contrasena')}
              onChange={(contrasena) => setAccount({ ...account, contrasena })}
            />
          </>
        )}
      </OpForm>
    </Entrance>
  )
}

/** A password field whose eye says what it does. */
export function Password({
  label,
  value,
  onChange,
  autoComplete,
  error,
  description,
  autoFocus = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  error?: string | undefined
  description?: string
}) {
  return (
    <PasswordInput
      label={label}
      value={value}
      name={autoComplete}
      autoComplete={autoComplete}
      error={error}
      description={description}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(autoFocus ? { 'data-autofocus': true, autoFocus } : {})}
      visibilityToggleButtonProps={{
        'aria-label': t('Show or hide the password', 'Mostrar u ocultar la contraseña'),
        tabIndex: 0,
      }}
      required
      withAsterisk={false}
    />
  )
}

/** The second factor of a sign-in, by authenticator or recovery code. */
export function SecondFactor({
  token,
  back,
  done,
}: {
  token: string
  back?: () => void
  done: (answer: SignedIn) => void
}) {
  const [recovery, setRecovery] = useState(false)
  const [codigo, setCodigo] = useState('')
  const clean = codigo.replace(/\s+/g, '')
  return (
    <Entrance
      title={recovery ? t('Recovery code', 'Código de recuperación') : t('Second factor', 'Segundo factor')}
      lead={
        recovery
          ? t(
              'One of the ten codes that you saved. Each works once.',
              'Uno de los diez que guardó. Cada uno sirve una vez.',
            )
          : t(
              'The six digits that your authenticator shows now.',
              'Las seis cifras que muestra ahora su autenticador.',
            )
      }
    >
      <OpForm
        op="POST /acceso/segundo-factor"
        input={{ body: { paso_token: token, codigo: clean } }}
        submit={t('Continue', 'Continuar')}
        done={({ data }) => done(data)}
        {...(back ? { cancel: back } : {})}
      >
        {(error) => (
          <>
            <Code
              key={String(recovery)}
              digits={!recovery}
              value={codigo}
              onChange={setCodigo}
              error={error('codigo')}
            />
            <button type="button" className="link-button" onClick={() => setRecovery(!recovery)}>
              {recovery
                ? t('Use the authenticator', 'Usar el autenticador')
                : t('I cannot use my authenticator', 'No puedo usar mi autenticador')}
            </button>
          </>
        )}
      </OpForm>
    </Entrance>
  )
}

/** The field for a code of the second factor. */
export function Code({
  digits,
  value,
  onChange,
  error,
}: {
  digits: boolean
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}) {
  return (
    <TextInput
      className="input-code"
      label={t('Code', 'Código')}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={digits ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={digits ? 7 : 64}
      autoFocus
      required
      withAsterisk={false}
    />
  )
}

/** Several logins share the address and the password: which one? */
function Choose({
  clients,
  account,
  done,
}: {
  clients: string[]
  account: { correo: string; contrasena: string }
  done: (step: Step) => void
}) {
  const [cliente, setCliente] = useState(clients[0] ?? '')
  return (
    <Entrance
      title={t('Which account?', '¿Qué cuenta?')}
      lead={t('Several accounts have this address.', 'Varias cuentas tienen este correo.')}
    >
      <OpForm
        op="POST /acceso/entrar"
        input={{ body: { ...account, cliente } }}
        submit={t('Continue', 'Continuar')}
        done={({ data }) => done(data)}
      >
        {() => (
          <fieldset className="choices">
            <legend className="visually-hidden">{t('Account', 'Cuenta')}</legend>
            {clients.map((name) => (
              <label key={name}>
                <input
                  type="radio"
                  name="cliente"
                  checked={name === cliente}
                  onChange={() => setCliente(name)}
                />
                <code>{name}</code>
              </label>
            ))}
          </fieldset>
        )}
      </OpForm>
    </Entrance>
  )
}
