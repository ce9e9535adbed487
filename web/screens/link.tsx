import { Button, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../api/client.ts'
import { type ApiError, asApiError } from '../api/errors.ts'
import type { OutputOf } from '../api/operations.ts'
import { signIn } from '../api/session.ts'
import { dateTime } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { OpForm } from '../ui/form.tsx'
import { Waiting } from '../ui/page.tsx'
import { Enrol, RecoveryCodes } from './enrol.tsx'
import { Entrance } from './entrance.tsx'
import { Forgotten } from './forgotten.tsx'
import { linkSecret } from './link-secret.ts'
import { Password, SecondFactor } from './sign-in.tsx'
import { Strength } from './strength.tsx'

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
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!secret) return
    call('POST /acceso/enlace', { body: { enlace: secret } }).then(setInfo, (thrown) =>
      setError(asApiError(thrown)),
    )
  }, [secret])
  const enter = (answer: SignedIn) => {
    signIn(answer)
    navigate('/panel', { replace: true })
  }
  if (signed) {
    return (
      <Entrance title={t('Recovery codes', 'Códigos de recuperación')} lead={<Progress at={3} />}>
        <RecoveryCodes codes={signed.codigos_recuperacion ?? []} done={() => enter(signed)} />
      </Entrance>
    )
  }
  if (step?.paso === 'segundo_factor') return <SecondFactor token={step.paso_token} done={enter} />
  if (step?.paso === 'inscribir') {
    return (
      <Entrance title={t('Second factor', 'Segundo factor')} lead={<Progress at={2} />}>
        <Enrol token={step.paso_token} totp={step.totp} done={setSigned} />
      </Entrance>
    )
  }
  if (!secret || error) return <DeadLink error={error} />
  if (!info) {
    return (
      <Entrance title={t('One-time link', 'Enlace de un solo uso')}>
        <Waiting lines={3} />
      </Entrance>
    )
  }
  if (step?.paso === 'correo_confirmado') return <Confirmed correo={step.correo} />
  if (info.para === 'correo') return <ConfirmEmail secret={secret} info={info} done={setStep} />
  return <ChoosePassword secret={secret} info={info} done={setStep} />
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
    <Entrance title={t('Confirm your address', 'Confirme su dirección')}>
      <OpForm
        op="POST /acceso/enlace/gastar"
        input={{ body: { enlace: secret } }}
        submit={t('Confirm this address', 'Confirmar esta dirección')}
        done={({ data }) => done(data)}
      >
        {() => (
          <p>
            <b>{info.correo}</b>{' '}
            {t('becomes the address of the account', 'pasa a ser la dirección de la cuenta')}{' '}
            <code>{info.cliente}</code>.
          </p>
        )}
      </OpForm>
    </Entrance>
  )
}

function Confirmed({ correo }: { correo: string }) {
  const [, navigate] = useLocation()
  return (
    <Entrance
      title={t('Address confirmed', 'Dirección confirmada')}
      lead={t(`From now on you sign in with ${correo}.`, `A partir de ahora entra con ${correo}.`)}
    >
      <div className="form-foot">
        <Button onClick={() => navigate('/entrar')}>{t('Sign in', 'Entrar')}</Button>
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
  const title =
    info.para === 'restablecer'
      ? t('Choose a new password', 'Elija otra contraseña')
      : t('Choose a password', 'Elija una contraseña')
  return (
    <Entrance title={title} lead={info.segundo_factor ? <Welcome info={info} /> : <Progress at={1} />}>
      <OpForm
        op="POST /acceso/enlace/gastar"
        input={{ body: { enlace: secret, contrasena, ...(first ? { correo } : {}) } }}
        submit={t('Set the password', 'Guardar la contraseña')}
        done={({ data }) => done(data)}
      >
        {(error) => (
          <>
            {info.segundo_factor ? null : <Welcome info={info} />}
            {first ? (
              <TextInput
                label={t('Your e-mail', 'Su correo')}
                description={t('You will sign in with it.', 'Con él entrará en el panel.')}
                type="email"
                name="username"
                autoComplete="username"
                value={correo}
                error={error('correo')}
                onChange={(event) => setCorreo(event.currentTarget.value)}
                required
                withAsterisk={false}
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
              label={t('Password', 'Contraseña')}
              description={t(
                'At least 12 characters. Several words are easier to keep than signs.',
                'Al menos 12 caracteres. Varias palabras se recuerdan mejor que los signos.',
              )}
              autoComplete="new-password"
              value={contrasena}
              onChange={setContrasena}
              error={error('contrasena')}
            />
            <Strength password={contrasena} />
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
      {t('The link is good until', 'El enlace vale hasta')} {dateTime(info.caduca)}.
    </span>
  ) : null
  if (info.para === 'primero') {
    return (
      <p>
        {t(
          'You are the first administrator of this panel.',
          'Usted es el primer administrador de este panel.',
        )}
      </p>
    )
  }
  return (
    <p>
      {info.rol === 'admin' ? t('Administrator account', 'Cuenta de administrador') : t('Account', 'Cuenta')}{' '}
      {info.cliente ? <code>{info.cliente}</code> : null} {whose}.{until}
    </p>
  )
}

function Progress({ at }: { at: 1 | 2 | 3 }) {
  const steps = [
    t('Password', 'Contraseña'),
    t('Second factor', 'Segundo factor'),
    t('Recovery codes', 'Códigos de recuperación'),
  ]
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

/** Clear words for a link that cannot be used, and the way on. */
function DeadLink({ error }: { error: ApiError | null }) {
  const [again, setAgain] = useState(false)
  const [, navigate] = useLocation()
  if (again) return <Forgotten email="" back={() => setAgain(false)} />
  const words: Record<string, [string, string]> = {
    enlace_gastado: [
      t('This link was used already', 'Este enlace ya se usó'),
      t(
        'Each link works once, and a newer link replaces the older ones. If you have chosen your password, just sign in.',
        'Cada enlace sirve una vez, y uno más reciente sustituye a los anteriores. Si ya eligió su contraseña, entre sin más.',
      ),
    ],
    enlace_caducado: [
      t('This link has expired', 'Este enlace ha caducado'),
      t(
        'Links are good for one hour. Have another one sent.',
        'Los enlaces valen una hora. Pida que le envíen otro.',
      ),
    ],
  }
  const [title, lead] = words[error?.codigo ?? ''] ?? [
    t('This link does not work', 'Este enlace no funciona'),
    t(
      'It may be incomplete: open it from the mail once more, or copy all of it.',
      'Puede estar incompleto: ábralo de nuevo desde el correo, o cópielo entero.',
    ),
  ]
  return (
    <Entrance title={title} lead={lead}>
      <div className="form">
        {error ? <ErrorNote error={error} /> : null}
        <div className="form-foot">
          <Button onClick={() => setAgain(true)}>{t('Send me another link', 'Envíenme otro enlace')}</Button>
          <Button variant="default" onClick={() => navigate('/entrar')}>
            {t('Sign in', 'Entrar')}
          </Button>
        </div>
      </div>
    </Entrance>
  )
}
