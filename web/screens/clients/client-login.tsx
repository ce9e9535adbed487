import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { dateTime, relative } from '../../text/format.ts'
import { language } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OwnPassword } from '../../ui/forms/credentials.tsx'
import { Choice, EmailField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Facts, Loaded } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { ClientData } from './data.ts'
import { texts } from './texts.ts'

type Login = OutputOf<'GET /api/clientes/:cliente/acceso'>

/** The customer's login: made once, then links. */
export function ClientLogin({ client }: { client: ClientData }) {
  if (client.acceso === 'sin_acceso') {
    return (
      <div className="halves">
        <Card title={texts.noLoginYet}>
          <CreateLogin client={client} />
        </Card>
      </div>
    )
  }
  return <ExistingLogin client={client} />
}

function CreateLogin({ client }: { client: ClientData }) {
  const [correo, setCorreo] = useState(client.correo ?? '')
  const [idioma, setIdioma] = useState<'es' | 'en'>(language.get())
  return (
    <OpForm
      op="POST /api/clientes/:cliente/acceso"
      input={{ params: { cliente: client.cliente }, body: { correo, idioma } }}
      submit={texts.makeLoginMailLink}
      done={() => announce(texts.activationLinkWay)}
    >
      {(error) => (
        <>
          <p>{texts.whatTheLinkDoes}</p>
          <EmailField label={common.eMail} value={correo} onChange={setCorreo} error={error('correo')} />
          <Choice
            label={texts.languageOfTheMails}
            value={idioma}
            onChange={(value) => setIdioma(value === 'es' ? 'es' : 'en')}
            options={[
              { value: 'es', label: 'Español' },
              { value: 'en', label: 'English' },
            ]}
          />
        </>
      )}
    </OpForm>
  )
}

function ExistingLogin({ client }: { client: ClientData }) {
  const params = { cliente: client.cliente }
  const login = useRead(
    'GET /api/clientes/:cliente/acceso',
    { params },
    { again: ({ enlace }) => (enlace?.estado === 'en_cola' ? 2000 : false) },
  )
  const [removing, setRemoving] = useState(false)
  return (
    <div className="halves">
      <Card title={texts.login} wire="GET /api/clientes/:cliente/acceso">
        <Loaded of={login}>
          {(login) => <LoginFacts login={login} removeFactor={() => setRemoving(true)} />}
        </Loaded>
      </Card>
      <Card title={texts.sendANewLink}>
        <OpForm
          op="POST /api/clientes/:cliente/acceso/restablecer"
          input={{ params }}
          submit={common.send}
          done={({ data }) => announce(`${texts.mailedTo} ${data.enviado_a}`)}
        >
          {() => (
            <p>{client.acceso === 'pendiente' ? texts.whatActivationLinkDoes : texts.whatResetLinkDoes}</p>
          )}
        </OpForm>
      </Card>
      <Dialog title={texts.removeTheSecondFactor} opened={removing} close={() => setRemoving(false)}>
        <RemoveFactor client={client} close={() => setRemoving(false)} />
      </Dialog>
    </div>
  )
}

function LoginFacts({ login, removeFactor }: { login: Login; removeFactor: () => void }) {
  const { enlace } = login
  return (
    <Facts
      items={[
        [common.eMail, login.correo],
        [common.state, <State key="s" state={login.estado} />],
        [
          common.secondFactor,
          login.segundo_factor ? (
            <span className="actions" key="f">
              {texts.enrolled}
              <Button size="compact-xs" variant="default" onClick={removeFactor}>
                {texts.remove}
              </Button>
            </span>
          ) : (
            texts.notYet
          ),
        ],
        [
          texts.lastLink,
          enlace ? (
            <span key="l">
              <State state={enlace.estado} />
              {enlace.caduca && enlace.estado === 'enviado' ? (
                <span className="sub">
                  {texts.goodUntil} {dateTime(enlace.caduca)}
                </span>
              ) : null}
              {enlace.estado === 'en_cola' ? <span className="sub">{texts.whenTheHourBegins}</span> : null}
            </span>
          ) : null,
        ],
        [common.lastSignIn, login.ultimo_acceso ? relative(login.ultimo_acceso) : null],
      ]}
    />
  )
}

function RemoveFactor({ client, close }: { client: ClientData; close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="DELETE /api/clientes/:cliente/acceso/segundo-factor"
      input={{ params: { cliente: client.cliente }, body: { contrasena } }}
      submit={texts.remove}
      danger
      cancel={close}
      done={() => {
        announce(texts.removedCustomerEnrolsAgain)
        close()
      }}
    >
      {(error) => (
        <>
          <p>{texts.whenToRemoveFactor}</p>
          <OwnPassword value={contrasena} onChange={setContrasena} error={error('contrasena')} />
        </>
      )}
    </OpForm>
  )
}
