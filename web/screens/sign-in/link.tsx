import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { OutputOf } from '../../api/operations.ts'
import { signIn } from '../../api/session.ts'
import { common } from '../../text/common.ts'
import { dateTime } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { RecoveryCodes } from '../../ui/factor/factor.tsx'
import { Password } from '../../ui/forms/credentials.tsx'
import { EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { isNewPassword } from '../../ui/forms/rules.ts'
import { Strength } from '../../ui/forms/strength.tsx'
import { Waiting } from '../../ui/page.tsx'
import { Enrol } from './enrol.tsx'
import { Entrance } from './entrance.tsx'
import { Forgotten } from './forgotten.tsx'
import { isPasswordSaved, linkSecret, notePasswordSaved } from './link-secret.ts'
import { SecondFactor } from './sign-in.tsx'
import { texts } from './texts.ts'

type LinkInfo = OutputOf<'POST /acceso/enlace'>
type Step = OutputOf<'POST /acceso/enlace/gastar'>
type SignedIn = OutputOf<'POST /acceso/segundo-factor/inscribir'>

/** The page of a one-time link. Opening it asks what it is for, which consumes nothing. */
export default function LinkPage() {
  const [secret] = useState(linkSecret)
  const [info, setInfo] = useState<LinkInfo | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [step, setStep] = useState<Step | null>(null)
  const [signed, setSigned] = useState<SignedIn | null>(null)
  const [saved] = useState(isPasswordSaved)
  const [tries, setTries] = useState(0)
  const [, navigate] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks again
  useEffect(() => {
    if (!secret) return
    setError(null)
    call('POST /acceso/enlace', { body: { enlace: secret } }).then(setInfo, (thrown) =>
      setError(asApiError(thrown)),
    )
  }, [secret, tries])
  const enter = (answer: SignedIn) => {
    notePasswordSaved(false)
    signIn(answer)
    navigate('/panel', { replace: true })
  }
  if (signed) {
    return (
      <Entrance title={common.recoveryCodes} lead={<Progress at={3} />}>
        <RecoveryCodes codes={signed.codigos_recuperacion ?? []} done={() => enter(signed)} />
      </Entrance>
    )
  }
  if (step?.paso === 'segundo_factor') return <SecondFactor token={step.paso_token} done={enter} />
  if (step?.paso === 'inscribir') {
    return (
      <Entrance title={texts.protectTitle} lead={<Progress at={2} />}>
        <p>{texts.protectReason}</p>
        <Enrol token={step.paso_token} totp={step.totp} done={setSigned} />
      </Entrance>
    )
  }
  if (!secret && saved) return <Saved />
  if (!secret || error) return <DeadLink error={error} retry={() => setTries(tries + 1)} />
  if (!info) {
    return (
      <Entrance title={texts.oneTimeLink}>
        <Waiting lines={3} />
      </Entrance>
    )
  }
  if (step?.paso === 'correo_confirmado') return <Confirmed correo={step.correo} />
  if (info.para === 'correo') return <ConfirmEmail secret={secret} info={info} done={setStep} />
  const chosen = (next: Step) => {
    setStep(next)
    if (next.paso === 'inscribir') notePasswordSaved(true)
  }
  return <ChoosePassword secret={secret} info={info} done={chosen} />
}

/** A person's own press of the button spends the link: what merely opens it confirms nothing. */
function ConfirmEmail({
  secret,
  info,
  done,
}: {
  secret: string
  info: LinkInfo
  done: (step: Step) => void
}) {
  return (
    <Entrance title={texts.confirmYourAddress}>
      <OpForm
        op="POST /acceso/enlace/gastar"
        input={{ body: { enlace: secret } }}
        submit={texts.confirmThisAddress}
        done={({ data }) => done(data)}
      >
        {() => (
          <p>
            <b>{info.correo}</b> {texts.becomesAddressAccount} <code>{info.cliente}</code>.
          </p>
        )}
      </OpForm>
    </Entrance>
  )
}

function Confirmed({ correo }: { correo: string }) {
  const [, navigate] = useLocation()
  return (
    <Entrance title={texts.addressConfirmed} lead={texts.newAddressCounts(correo)}>
      <div className="form-foot">
        <Button onClick={() => navigate('/entrar')}>{texts.signIn}</Button>
      </div>
    </Entrance>
  )
}

/** Choosing the password is what spends the link. */
function ChoosePassword({
  secret,
  info,
  done,
}: {
  secret: string
  info: LinkInfo
  done: (step: Step) => void
}) {
  const first = info.para === 'primero'
  const [correo, setCorreo] = useState('')
  const [contrasena, setContrasena] = useState('')
  const isGood = isNewPassword([info.correo, info.cliente, correo])
  const title = info.para === 'restablecer' ? texts.chooseANewPassword : texts.chooseAPassword
  return (
    <Entrance title={title} lead={info.segundo_factor ? <Welcome info={info} /> : <Progress at={1} />}>
      <OpForm
        op="POST /acceso/enlace/gastar"
        input={{ body: { enlace: secret, contrasena, ...(first ? { correo } : {}) } }}
        submit={texts.setThePassword}
        done={({ data }) => done(data)}
      >
        {(error, tried) => (
          <>
            {info.segundo_factor ? null : <Welcome info={info} />}
            {first ? (
              <EmailField
                label={texts.yourEMail}
                description={texts.youWillSign}
                name="username"
                autoComplete="username"
                value={correo}
                error={error('correo')}
                onChange={setCorreo}
              />
            ) : (
              <input
                type="hidden"
                name="username"
                autoComplete="username"
                value={info.correo ?? ''}
                readOnly
              />
            )}
            <Password
              label={common.password}
              description={common.passwordAdvice}
              autoComplete="new-password"
              value={contrasena}
              onChange={setContrasena}
              check={isGood}
              error={error('contrasena')}
            />
            {info.para === 'restablecer' ? <p className="faint small">{texts.passkeysEnd}</p> : null}
            {tried && isGood(contrasena) !== null ? null : <Strength password={contrasena} />}
          </>
        )}
      </OpForm>
    </Entrance>
  )
}

function Welcome({ info }: { info: LinkInfo }) {
  const whose = info.correo ? <b>{info.correo}</b> : null
  const until = info.caduca ? (
    <span className="faint">
      {' '}
      {texts.linkGoodUntil} {dateTime(info.caduca)}.
    </span>
  ) : null
  if (info.para === 'primero') {
    return <p>{texts.firstAdministrator}</p>
  }
  return (
    <p>
      {info.rol === 'admin' ? texts.administratorAccount : texts.accountOf} {whose}
      {info.cliente && info.cliente !== info.correo ? ` (${info.cliente})` : null}.{until}
    </p>
  )
}

function Progress({ at }: { at: 1 | 2 | 3 }) {
  const steps = [common.password, texts.phoneStep, common.recoveryCodes]
  return (
    <span className="progress">
      {steps.map((name, index) => (
        <span key={name} aria-current={index + 1 === at ? 'step' : undefined}>
          {index + 1}. {name}
        </span>
      ))}
    </span>
  )
}

/** The page was loaded anew after the password was chosen: signing in goes on from there. */
function Saved() {
  const [again, setAgain] = useState(false)
  const [, navigate] = useLocation()
  if (again) return <Forgotten email="" back={() => setAgain(false)} />
  return (
    <Entrance title={texts.passwordSaved} lead={texts.passwordSavedAdvice}>
      <div className="form-foot">
        <Button onClick={() => navigate('/entrar')}>{texts.signIn}</Button>
        <Button variant="default" onClick={() => setAgain(true)}>
          {texts.sendMeAnotherLink}
        </Button>
      </div>
    </Entrance>
  )
}

/** Clear words for a link that cannot be used, and the way on. */
function DeadLink({ error, retry }: { error: ApiError | null; retry: () => void }) {
  const [again, setAgain] = useState(false)
  const [, navigate] = useLocation()
  if (again) return <Forgotten email="" back={() => setAgain(false)} />
  const words: Record<string, [string, string]> = {
    enlace_gastado: [texts.linkUsedAlready, texts.usedLinkAdvice],
    enlace_caducado: [texts.thisLinkHasExpired, texts.expiredLinkAdvice],
    enlace_no_existe: [texts.linkDoesNotWork, texts.brokenLinkAdvice],
  }
  const known = words[error?.codigo ?? 'enlace_no_existe']
  // What keeps the panel from looking at a link is no fault of the link.
  if (error && !known)
    return (
      <Entrance title={texts.oneTimeLink}>
        <ErrorNote error={error} retry={retry} />
      </Entrance>
    )
  const [title, lead] = known ?? []
  const ways = [
    { label: texts.sendMeAnotherLink, go: () => setAgain(true) },
    { label: texts.signIn, go: () => navigate('/entrar') },
  ]
  return (
    <Entrance title={title ?? ''} lead={lead}>
      <div className="form-foot">
        {(error?.codigo === 'enlace_gastado' ? ways.toReversed() : ways).map(({ label, go }, index) => (
          <Button key={label} variant={index === 0 ? 'filled' : 'default'} onClick={go}>
            {label}
          </Button>
        ))}
      </div>
    </Entrance>
  )
}
