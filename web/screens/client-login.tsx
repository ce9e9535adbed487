import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { dateTime, relative } from '../i18n/format.ts'
import { language, t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Card, Facts, Loaded } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import type { ClientData } from './client.tsx'
import { Password } from './sign-in.tsx'

type Login = OutputOf<'GET /api/clientes/:cliente/acceso'>

/** The customer's login: made once, then links. */
export function ClientLogin({ client }: { client: ClientData }) {
  if (client.acceso === 'sin_acceso') {
    return (
      <div className="halves">
        <Card title={t('No login yet', 'Aún sin acceso')}>
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
      submit={t('Make the login and mail the link', 'Crear el acceso y enviar el enlace')}
      done={() => announce(t('The activation link is on its way.', 'El enlace de activación va de camino.'))}
    >
      {(error) => (
        <>
          <p>
            {t(
              'The customer gets a link, good for one hour, to choose a password and a second factor. Nobody else ever sees them.',
              'El cliente recibe un enlace, válido una hora, para elegir contraseña y segundo factor. Nadie más los ve nunca.',
            )}
          </p>
          <TextField
            label={t('E-mail', 'Correo')}
            type="email"
            value={correo}
            onChange={setCorreo}
            error={error('correo')}
          />
          <Choice
            label={t('Language of the mails', 'Idioma de los correos')}
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
      <Card title={t('Login', 'Acceso')} wire="GET /api/clientes/:cliente/acceso">
        <Loaded of={login}>
          {(login) => <LoginFacts login={login} removeFactor={() => setRemoving(true)} />}
        </Loaded>
      </Card>
      <Card title={t('Send a new link', 'Enviar otro enlace')}>
        <OpForm
          op="POST /api/clientes/:cliente/acceso/restablecer"
          input={{ params }}
          submit={t('Send', 'Enviar')}
          done={({ data }) => announce(`${t('Mailed to', 'Enviado a')} ${data.enviado_a}`)}
        >
          {() => (
            <p>
              {client.acceso === 'pendiente'
                ? t(
                    'A fresh activation link; the older one stops working.',
                    'Un enlace de activación nuevo; el anterior deja de valer.',
                  )
                : t(
                    'A link to choose a new password. The second factor stays.',
                    'Un enlace para elegir otra contraseña. El segundo factor se mantiene.',
                  )}
            </p>
          )}
        </OpForm>
      </Card>
      <Dialog
        title={t('Remove the second factor', 'Quitar el segundo factor')}
        opened={removing}
        close={() => setRemoving(false)}
      >
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
        [t('E-mail', 'Correo'), login.correo],
        [t('State', 'Estado'), <State key="s" state={login.estado} />],
        [
          t('Second factor', 'Segundo factor'),
          login.segundo_factor ? (
            <span className="actions" key="f">
              {t('enrolled', 'activado')}
              <Button size="compact-xs" variant="default" onClick={removeFactor}>
                {t('Remove', 'Quitar')}
              </Button>
            </span>
          ) : (
            t('not yet', 'aún no')
          ),
        ],
        [
          t('Last link', 'Último enlace'),
          enlace ? (
            <span key="l">
              <State state={enlace.estado} />
              {enlace.caduca && enlace.estado === 'enviado' ? (
                <span className="sub">
                  {t('good until', 'vale hasta')} {dateTime(enlace.caduca)}
                </span>
              ) : null}
              {enlace.estado === 'en_cola' ? (
                <span className="sub">
                  {t(
                    'the hour runs from the hand-over to the mail server',
                    'la hora corre desde la entrega al servidor de correo',
                  )}
                </span>
              ) : null}
            </span>
          ) : null,
        ],
        [t('Last sign-in', 'Última entrada'), login.ultimo_acceso ? relative(login.ultimo_acceso) : null],
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
      submit={t('Remove', 'Quitar')}
      danger
      cancel={close}
      done={() => {
        announce(t('Removed. The customer enrols again.', 'Quitado. El cliente se inscribe de nuevo.'))
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            {t(
              'For a customer who lost the authenticator and the recovery codes. Make sure that it is really the customer who asks.',
              'Para un cliente que perdió el autenticador y los códigos. Asegúrese de que quien lo pide es el cliente.',
            )}
          </p>
          <Password
            label={t('Your own password', 'Su propia contraseña')}
            autoComplete="current-password"
            value={contrasena}
            onChange={setContrasena}
            error={error('contrasena')}
          />
        </>
      )}
    </OpForm>
  )
}
