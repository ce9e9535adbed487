import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { OutputOf } from '../../api/operations.ts'
import { comeIn, type Person, session } from '../../api/session.ts'
import { common } from '../../text/common.ts'
import { RecoveryCodes } from '../../ui/factor/factor.tsx'
import { Code, Password } from '../../ui/forms/credentials.tsx'
import { EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { Enrol } from './enrol.tsx'
import { Entrance } from './entrance.tsx'
import { Forgotten } from './forgotten.tsx'
import { PasskeyButton } from './passkey.tsx'
import { texts } from './texts.ts'

type Step = OutputOf<'POST /acceso/entrar'>
type SignedIn = OutputOf<'POST /acceso/segundo-factor'>

/** Over a screen whose session was ended: who had it, and what to do with the new one. */
export type Again = { person: Person; done: (answer: SignedIn) => void }

/** Sign-in: address and password, then the second factor (docs/api.md, "Signing in"). */
export function SignIn({ again }: { again?: Again }) {
  const [step, setStep] = useState<Step | 'forgotten' | null>(null)
  const [account, setAccount] = useState({ correo: again?.person.correo ?? '', contrasena: '' })
  const [codes, setCodes] = useState<SignedIn | null>(null)
  const ended = session.use()
  const enter = again?.done ?? comeIn
  const cliente = again?.person.cliente
  if (codes?.codigos_recuperacion) {
    return (
      <Entrance title={common.recoveryCodes}>
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
      <Entrance title={texts.protectTitle} lead={texts.protectReason}>
        <p>{texts.stepLeftOpen}</p>
        <Enrol token={step.paso_token} totp={step.totp} done={setCodes} />
      </Entrance>
    )
  }
  if (step?.paso === 'elegir') {
    return <Choose clients={step.clientes} account={account} done={setStep} />
  }
  return (
    <Entrance title={texts.signInToThePanel}>
      {again || (ended.kind === 'out' && ended.why === 'ended') ? (
        <Note tone="info" title={texts.sessionEnded} />
      ) : null}
      {!again && ended.kind === 'out' && ended.why === 'left' ? (
        <Note tone="info" title={texts.signedOut} />
      ) : null}
      <OpForm
        op="POST /acceso/entrar"
        input={{ body: { ...account, ...(cliente ? { cliente } : {}) } }}
        submit={texts.signIn}
        done={({ data }) => setStep(data)}
        beside={
          again ? null : (
            <button type="button" className="link-button" onClick={() => setStep('forgotten')}>
              {texts.forgotPassword}
            </button>
          )
        }
      >
        {(error) => (
          <>
            <EmailField
              label={common.eMail}
              name="username"
              autoComplete="username"
              value={account.correo}
              error={error('correo')}
              onChange={(correo) => setAccount({ ...account, correo })}
              readOnly={again !== undefined}
              autoFocus={again === undefined}
            />
            <Password
              value={account.contrasena}
              label={common.password}
              autoComplete="current-password"
              autoFocus={again !== undefined}
              error={error('contrasena')}
              onChange={(contrasena) => setAccount({ ...account, contrasena })}
            />
          </>
        )}
      </OpForm>
      <PasskeyButton done={enter} />
    </Entrance>
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
      title={recovery ? texts.recoveryCode : texts.codeOfPhone}
      lead={recovery ? texts.recoveryCodeHint : texts.codeHint}
    >
      <OpForm
        op="POST /acceso/segundo-factor"
        input={{ body: { paso_token: token, codigo: clean } }}
        submit={common.continue}
        done={({ data }) => {
          done(data)
          if (recovery) void tellCodesLeft()
        }}
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
            {recovery ? <p className="faint small">{texts.noCodesEither}</p> : null}
            <button type="button" className="link-button" onClick={() => setRecovery(!recovery)}>
              {recovery ? texts.useTheAuthenticator : texts.noAuthenticator}
            </button>
          </>
        )}
      </OpForm>
    </Entrance>
  )
}

/** Says after a sign-in by one of them how many recovery codes are left. */
async function tellCodesLeft(): Promise<void> {
  const me = await call('GET /api/yo', {}).catch(() => null)
  if (me) announce(texts.codesLeft(me.codigos_recuperacion))
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
    <Entrance title={texts.whichAccount} lead={texts.severalAccounts}>
      <OpForm
        op="POST /acceso/entrar"
        input={{ body: { ...account, cliente } }}
        submit={common.continue}
        done={({ data }) => done(data)}
      >
        {() => (
          <fieldset className="choices">
            <legend className="visually-hidden">{common.account}</legend>
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
