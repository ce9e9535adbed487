import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction, useRead } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { session } from '../api/session.ts'
import { counted, dateTime, day, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { ApiCall } from '../ui/api-call.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { OpForm } from '../ui/form.tsx'
import { Card, Facts, Loaded, PageHead } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import { NewFactor, NewRecoveryCodes } from './account-factor.tsx'
import { Email } from './client-settings.tsx'
import { Password } from './sign-in.tsx'
import { Strength } from './strength.tsx'

export type Me = OutputOf<'GET /api/yo'>

/** The own account: password, second factor, sessions. */
export default function Account() {
  const me = useRead('GET /api/yo', {})
  return (
    <>
      <PageHead title={t('My account', 'Mi cuenta')} wire="GET /api/yo" />
      <Loaded of={me}>{(me) => <LoadedAccount me={me} />}</Loaded>
    </>
  )
}

function LoadedAccount({ me }: { me: Me }) {
  const [dialog, setDialog] = useState<'password' | 'factor' | 'codes' | null>(null)
  const close = () => setDialog(null)
  if (me.suplantada_por) {
    return (
      <Note tone="info" title={t('Not as somebody else', 'No como otra persona')}>
        <p>
          {t(
            "A customer's credentials and sessions cannot be seen or changed from an impersonated session.",
            'Las credenciales y sesiones de un cliente no se ven ni se cambian desde una sesión suplantada.',
          )}
        </p>
      </Note>
    )
  }
  return (
    <div className="stack">
      <div className="halves">
        <Card title={t('Access', 'Acceso')}>
          <Facts
            items={[
              [t('E-mail', 'Correo'), me.correo],
              [
                t('Role', 'Rol'),
                me.rol === 'admin'
                  ? t('Administrator', 'Administrador')
                  : `${t('Customer', 'Cliente')} ${me.cliente ?? ''}`,
              ],
              [
                t('Second factor', 'Segundo factor'),
                me.segundo_factor ? t('enrolled', 'activado') : t('not yet', 'aún no'),
              ],
              [
                t('Recovery codes', 'Códigos de recuperación'),
                counted(me.codigos_recuperacion, ['left', 'sin usar'], ['left', 'sin usar']),
              ],
            ]}
          />
          {me.codigos_recuperacion < 3 ? (
            <Note
              tone="warn"
              title={t(
                'Few recovery codes are left: make new ones.',
                'Quedan pocos códigos de recuperación: cree otros.',
              )}
            />
          ) : null}
          <div className="form-foot">
            <Button variant="default" onClick={() => setDialog('password')}>
              {t('Change password', 'Cambiar contraseña')}
            </Button>
            <Button variant="default" onClick={() => setDialog('factor')}>
              {t('Replace second factor', 'Cambiar segundo factor')}
            </Button>
            <Button variant="default" onClick={() => setDialog('codes')}>
              {t('New recovery codes', 'Códigos nuevos')}
            </Button>
          </div>
        </Card>
        {me.rol === 'client' && me.cliente ? (
          <Card title={t('Recovery address', 'Correo de recuperación')}>
            <Email cliente={me.cliente} correo={me.correo} />
          </Card>
        ) : (
          <Card title={t('Your tokens', 'Sus tokens')}>
            <Tokens tokens={me.tokens} />
          </Card>
        )}
      </div>
      <Sessions />
      <Dialog title={t('Change password', 'Cambiar contraseña')} opened={dialog === 'password'} close={close}>
        <NewPassword me={me} close={close} />
      </Dialog>
      <Dialog
        title={t('Replace second factor', 'Cambiar segundo factor')}
        opened={dialog === 'factor'}
        close={close}
      >
        <NewFactor me={me} close={close} />
      </Dialog>
      <Dialog
        title={t('New recovery codes', 'Códigos de recuperación nuevos')}
        opened={dialog === 'codes'}
        close={close}
      >
        <NewRecoveryCodes close={close} />
      </Dialog>
    </div>
  )
}

function Tokens({ tokens }: { tokens: Me['tokens'] }) {
  if (tokens.length === 0) return <p className="faint">{t('None.', 'Ninguno.')}</p>
  return (
    <ul className="bullets">
      {tokens.map(({ id, nombre, pista, caduca }) => (
        <li key={id}>
          <b>{nombre}</b> <code>{pista}…</code>{' '}
          <span className="faint">
            {t('until', 'hasta')} {day(caduca)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What a change of credentials does, told before it is done (contract section 4.7). */
export function Consequences({ me }: { me: Me }) {
  return (
    <>
      <p>{t('Your other sessions end.', 'Sus otras sesiones terminan.')}</p>
      {me.tokens.length > 0 ? (
        <Note tone="warn" title={t('These tokens of yours are revoked:', 'Se revocan estos tokens suyos:')}>
          <Tokens tokens={me.tokens} />
          <p>
            {t(
              'What uses them stops working until it gets a new one.',
              'Lo que los usa deja de funcionar hasta que reciba otro.',
            )}
          </p>
        </Note>
      ) : null}
    </>
  )
}

function NewPassword({ me, close }: { me: Me; close: () => void }) {
  const [actual, setActual] = useState('')
  const [nueva, setNueva] = useState('')
  return (
    <OpForm
      op="PUT /api/yo/contrasena"
      input={{ body: { actual, nueva } }}
      submit={t('Change', 'Cambiar')}
      danger={me.tokens.length > 0}
      cancel={close}
      done={() => {
        announce(t('The password is changed.', 'La contraseña está cambiada.'))
        close()
      }}
    >
      {(error) => (
        <>
          <Consequences me={me} />
          <Password
            label={t('Current password', 'Contraseña actual')}
            autoComplete="current-password"
            value={actual}
            onChange={setActual}
            error={error('actual')}
          />
          <Password
            label={t('New password', 'Contraseña nueva')}
            autoComplete="new-password"
            value={nueva}
            onChange={setNueva}
            error={error('nueva')}
          />
          <Strength password={nueva} />
        </>
      )}
    </OpForm>
  )
}

function Sessions() {
  const sessions = useRead('GET /api/yo/sesiones', {})
  const end = useAction('DELETE /api/yo/sesiones/:id')
  const finish = async (id: string, own: boolean) => {
    const answer = await end.run({ params: { id } })
    if (answer && own) session.set({ kind: 'out', why: null })
    else if (answer) announce(t('The session is ended.', 'La sesión está terminada.'))
  }
  return (
    <Card flush title={t('Open sessions', 'Sesiones abiertas')} wire="GET /api/yo/sesiones">
      {end.error ? <ErrorNote error={end.error} /> : null}
      <Loaded of={sessions}>
        {({ datos }) => (
          <>
            <div className="table-box">
              <Table
                label={t('Open sessions', 'Sesiones abiertas')}
                rows={datos}
                rowKey={({ id }) => id}
                columns={[
                  {
                    head: t('From', 'Desde'),
                    cell: ({ direccion, actual, suplantada_por }) => (
                      <>
                        <code className="strong">{direccion}</code>
                        {actual ? <span className="sub">{t('this one', 'esta')}</span> : null}
                        {suplantada_por ? (
                          <span className="sub">
                            {t('impersonated by', 'suplantada por')} {suplantada_por}
                          </span>
                        ) : null}
                      </>
                    ),
                  },
                  {
                    head: t('Browser', 'Navegador'),
                    long: true,
                    cell: ({ agente }) => <span className="small">{agente}</span>,
                  },
                  { head: t('Begun', 'Iniciada'), cell: ({ creada }) => dateTime(creada) },
                  { head: t('Renewed', 'Renovada'), cell: ({ renovada }) => relative(renovada) },
                  {
                    head: t('Actions', 'Acciones'),
                    actions: true,
                    cell: ({ id, actual }) => (
                      <Button size="compact-sm" variant="default" onClick={() => finish(id, actual)}>
                        {t('End', 'Terminar')}
                      </Button>
                    ),
                  },
                ]}
              />
            </div>
            <div className="card-pad">
              <ApiCall op="DELETE /api/yo/sesiones/:id" input={{ params: { id: datos[0]?.id ?? '' } }} />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  )
}
