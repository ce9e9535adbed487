import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Card, Facts, Loaded, PageHead } from '../../ui/page.tsx'
import { Glyph, Note } from '../../ui/state.tsx'
import { Email } from '../client-settings.tsx'
import { ChangePassword } from './change-password.tsx'
import { Credential } from './credential.tsx'
import { MailLanguage } from './mail-language.tsx'
import { NewCodes } from './new-codes.tsx'
import { ReplaceFactor } from './replace-factor.tsx'
import { Sessions } from './sessions.tsx'
import { OwnTokens } from './will-revoke.tsx'

export type Me = OutputOf<'GET /api/yo'>
type Change = 'password' | 'factor' | 'codes'

/** With this many recovery codes left, new ones are advised. */
const FEW_CODES = 3

/** The own account, of an admin or a customer. */
export default function Account() {
  const me = useRead('GET /api/yo', {})
  return (
    <>
      <PageHead title={t('My account', 'Mi cuenta')} wire="GET /api/yo" />
      <Loaded of={me} lines={8}>
        {(me) => <Whole me={me} />}
      </Loaded>
    </>
  )
}

function Whole({ me }: { me: Me }) {
  const [change, setChange] = useState<Change | null>(null)
  const close = () => setChange(null)
  return (
    <div className="stack">
      {me.suplantada_por ? <LookedAt by={me.suplantada_por} /> : null}
      <div className="columns account">
        <Credentials me={me} start={setChange} />
        <div className="stack">
          <Who me={me} />
          {me.suplantada_por ? null : <MailLanguage key={me.idioma} idioma={me.idioma} />}
          {me.rol === 'admin' ? <OwnTokens tokens={me.tokens} /> : <Address me={me} />}
        </div>
      </div>
      <Sessions />
      <ChangePassword me={me} opened={change === 'password'} close={close} />
      <ReplaceFactor me={me} opened={change === 'factor'} close={close} />
      <NewCodes me={me} opened={change === 'codes'} close={close} />
    </div>
  )
}

function LookedAt({ by }: { by: string }) {
  return (
    <Note tone="warn" title={t(`${by} is looking at this account.`, `${by} está viendo esta cuenta.`)}>
      <p>
        {t(
          'Password, factor and sessions can only be changed by the person whose account it is.',
          'La contraseña, el factor y las sesiones solo los puede cambiar la persona dueña de la cuenta.',
        )}
      </p>
    </Note>
  )
}

function Credentials({ me, start }: { me: Me; start: (change: Change) => void }) {
  const mayChange = me.suplantada_por === null
  const few = me.codigos_recuperacion <= FEW_CODES
  return (
    <Card title={t('How you sign in', 'Cómo entra')}>
      <div className="credentials">
        <Credential
          name={t('Password', 'Contraseña')}
          action={t('Change the password', 'Cambiar la contraseña')}
          {...(mayChange ? { start: () => start('password') } : {})}
        >
          {t('A change ends all other sessions.', 'Cambiarla termina las demás sesiones.')}
        </Credential>
        <Credential
          name={t('Second factor', 'Segundo factor')}
          state={
            <span className="state">
              <Glyph tone={me.segundo_factor ? 'good' : 'bad'} />
              {me.segundo_factor ? t('Authenticator', 'Autenticador') : t('None yet', 'Aún ninguno')}
            </span>
          }
          action={t('Replace the authenticator', 'Cambiar de autenticador')}
          {...(mayChange ? { start: () => start('factor') } : {})}
        >
          {t(
            'For a new phone. The old one works until the new one is confirmed.',
            'Para un teléfono nuevo. El anterior vale hasta que confirme el nuevo.',
          )}
        </Credential>
        <Credential
          name={t('Recovery codes', 'Códigos de recuperación')}
          state={
            <span className={few ? 'state tone-warn' : 'state'}>
              <Glyph tone={few ? 'warn' : 'good'} />
              {t(`${number(me.codigos_recuperacion)} left`, `Quedan ${number(me.codigos_recuperacion)}`)}
            </span>
          }
          action={t('Make new codes', 'Crear códigos nuevos')}
          {...(mayChange ? { start: () => start('codes') } : {})}
        >
          {t('Each replaces the authenticator once.', 'Cada uno sustituye una vez al autenticador.')}
        </Credential>
      </div>
    </Card>
  )
}

/** A customer's own address, to which links are sent; an admin's is changed by another invitation. */
function Address({ me }: { me: Me }) {
  if (me.cliente === null || me.suplantada_por) return null
  return (
    <Card title={t('Another address', 'Otra dirección')}>
      <Email key={me.correo} cliente={me.cliente} correo={me.correo} />
    </Card>
  )
}

function Who({ me }: { me: Me }) {
  return (
    <Card title={t('Who you are', 'Quién es')}>
      <Facts
        items={[
          [t('E-mail', 'Correo'), me.correo],
          [
            t('Role', 'Papel'),
            me.rol === 'admin' ? t('Administrator', 'Administrador') : t('Customer', 'Cliente'),
          ],
          ...(me.cliente
            ? [[t('Client', 'Cliente'), <code key="client">{me.cliente}</code>] as [string, React.ReactNode]]
            : []),
        ]}
      />
    </Card>
  )
}
