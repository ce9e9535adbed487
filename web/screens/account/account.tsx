import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Card, Facts, Loaded, PageHead } from '../../ui/page.tsx'
import { Glyph, Note } from '../../ui/state.tsx'
import { Email } from '../clients/email-form.tsx'
import { ChangePassword } from './change-password.tsx'
import { Credential } from './credential.tsx'
import type { Me } from './data.ts'
import { NewCodes } from './new-codes.tsx'
import { Passkeys } from './passkeys.tsx'
import { ReplaceFactor } from './replace-factor.tsx'
import { Sessions } from './sessions.tsx'
import { texts } from './texts.ts'
import { OwnWays } from './ways.tsx'
import { OwnTokens } from './will-revoke.tsx'

type Change = 'password' | 'factor' | 'codes'

/** With this many recovery codes left, new ones are advised. */
const FEW_CODES = 3

/** The own account, of an admin or a customer. */
export default function Account() {
  const me = useRead('GET /api/yo', {})
  return (
    <>
      <PageHead title={common.myAccount} wire="GET /api/yo" />
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
        <div className="stack">
          <Credentials me={me} start={setChange} />
          <Passkeys me={me} />
          <Sessions />
        </div>
        <div className="stack">
          <Who me={me} />
          {me.suplantada_por ? null : (
            <OwnWays key={`${me.idioma} ${me.region} ${me.zona_horaria}`} me={me} />
          )}
          {me.rol === 'admin' ? <OwnTokens tokens={me.tokens} /> : <Address me={me} />}
        </div>
      </div>
      <ChangePassword me={me} opened={change === 'password'} close={close} />
      <ReplaceFactor me={me} opened={change === 'factor'} close={close} />
      <NewCodes me={me} opened={change === 'codes'} close={close} />
    </div>
  )
}

function LookedAt({ by }: { by: string }) {
  return (
    <Note tone="warn" title={texts.isLookingAtThis(by)}>
      <p>{texts.onlyTheOwner}</p>
    </Note>
  )
}

function Credentials({ me, start }: { me: Me; start: (change: Change) => void }) {
  const mayChange = me.suplantada_por === null
  const few = me.codigos_recuperacion <= FEW_CODES
  return (
    <Card title={texts.howYouSignIn}>
      <div className="credentials">
        <Credential
          name={common.password}
          action={texts.changeThePassword}
          {...(mayChange ? { start: () => start('password') } : {})}
        >
          {texts.passwordHint}
        </Credential>
        <Credential
          name={texts.codeOfPhone}
          state={
            <span className="state">
              <Glyph tone={me.segundo_factor ? 'good' : 'bad'} />
              {me.segundo_factor ? texts.authenticator : texts.noneYet}
            </span>
          }
          action={texts.replaceTheAuthenticator}
          {...(mayChange ? { start: () => start('factor') } : {})}
        >
          {texts.authenticatorHint}
        </Credential>
        <Credential
          name={common.recoveryCodes}
          state={
            <span className={few ? 'state tone-warn' : 'state'}>
              <Glyph tone={few ? 'warn' : 'good'} />
              {texts.left(number(me.codigos_recuperacion))}
            </span>
          }
          action={texts.makeNewCodes}
          {...(mayChange ? { start: () => start('codes') } : {})}
        >
          {texts.recoveryCodesHint}
        </Credential>
      </div>
    </Card>
  )
}

/** A customer's own address, to which links are sent; an admin's is changed by another invitation. */
function Address({ me }: { me: Me }) {
  if (me.cliente === null || me.suplantada_por) return null
  return (
    <Card title={texts.anotherAddress}>
      <Email key={me.correo} cliente={me.cliente} correo={me.correo} />
    </Card>
  )
}

function Who({ me }: { me: Me }) {
  return (
    <Card title={texts.whoYouAre}>
      <Facts
        items={[
          [common.eMail, me.correo],
          [texts.role, me.rol === 'admin' ? common.administrator : texts.customer],
          ...(me.cliente
            ? [[common.client, <code key="client">{me.cliente}</code>] as [string, React.ReactNode]]
            : []),
        ]}
      />
    </Card>
  )
}
