import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { counted, dateTime, number, relative } from '../i18n/format.ts'
import { language, t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import { Password } from './sign-in.tsx'

type Person = ItemOf<'GET /api/personas'>
type Asked = { what: 'invite' } | { what: 'state' | 'factor'; person: Person } | null

/** Administrators. */
export default function Persons() {
  const persons = usePages('GET /api/personas', {})
  const me = useRead('GET /api/yo', {})
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  return (
    <>
      <PageHead
        title={t('Persons', 'Personas')}
        wire="GET /api/personas"
        lead={t(
          'Administrators of the panel. Customers are under their clients.',
          'Administradores del panel. Los clientes están en sus fichas.',
        )}
      >
        <Button leftSection={<Icon name="plus" />} onClick={() => setAsked({ what: 'invite' })}>
          {t('Invite', 'Invitar')}
        </Button>
      </PageHead>
      <PagedTable
        label={t('Persons', 'Personas')}
        pages={persons}
        rowKey={({ id }) => id}
        columns={[
          {
            head: t('E-mail', 'Correo'),
            long: true,
            cell: ({ correo }) => (
              <>
                <span className="strong">{correo ?? <Nothing />}</span>
                {correo !== null && correo === me.data?.correo ? (
                  <span className="sub">{t('you', 'usted')}</span>
                ) : null}
              </>
            ),
          },
          { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} /> },
          {
            head: t('Second factor', 'Segundo factor'),
            cell: ({ segundo_factor }) =>
              segundo_factor ? t('enrolled', 'activado') : t('not yet', 'aún no'),
          },
          {
            head: t('Live tokens', 'Tokens vivos'),
            end: true,
            narrow: true,
            cell: ({ tokens }) => number(tokens),
          },
          {
            head: t('Last sign-in', 'Última entrada'),
            cell: ({ ultimo_acceso }) =>
              ultimo_acceso ? (
                <span title={dateTime(ultimo_acceso)}>{relative(ultimo_acceso)}</span>
              ) : (
                <Nothing />
              ),
          },
          {
            head: t('Actions', 'Acciones'),
            actions: true,
            cell: (person) => (
              <>
                {person.segundo_factor && person.correo !== me.data?.correo ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setAsked({ what: 'factor', person })}
                  >
                    {t('Remove factor', 'Quitar factor')}
                  </Button>
                ) : null}{' '}
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setAsked({ what: 'state', person })}
                >
                  {person.estado === 'inactiva' ? t('Enable', 'Activar') : t('Disable', 'Desactivar')}
                </Button>
              </>
            ),
          },
        ]}
        empty={<Empty icon="persons" title={t('Nobody.', 'Nadie.')} />}
      />
      <Dialog
        title={t('Invite an administrator', 'Invitar a un administrador')}
        opened={asked?.what === 'invite'}
        close={close}
      >
        <Invite close={close} />
      </Dialog>
      <Dialog
        title={asked?.what === 'state' ? (asked.person.correo ?? '') : ''}
        opened={asked?.what === 'state'}
        close={close}
      >
        {asked?.what === 'state' ? <ChangeState person={asked.person} close={close} /> : null}
      </Dialog>
      <Dialog
        title={t('Remove the second factor', 'Quitar el segundo factor')}
        opened={asked?.what === 'factor'}
        close={close}
      >
        {asked?.what === 'factor' ? <RemoveFactor person={asked.person} close={close} /> : null}
      </Dialog>
    </>
  )
}

function Invite({ close }: { close: () => void }) {
  const [correo, setCorreo] = useState('')
  const [idioma, setIdioma] = useState<'es' | 'en'>(language.get())
  return (
    <OpForm
      op="POST /api/personas"
      input={{ body: { correo, idioma } }}
      submit={t('Invite', 'Invitar')}
      cancel={close}
      done={() => {
        announce(t('The invitation is on its way.', 'La invitación va de camino.'))
        close()
      }}
    >
      {(error) => (
        <>
          <p>
            {t(
              'A link, good for one hour, to choose a password and a second factor. An administrator can do everything here.',
              'Un enlace, válido una hora, para elegir contraseña y segundo factor. Un administrador puede hacerlo todo aquí.',
            )}
          </p>
          <TextField
            label={t('E-mail', 'Correo')}
            type="email"
            value={correo}
            onChange={setCorreo}
            error={error('correo')}
            autoFocus
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

function ChangeState({ person, close }: { person: Person; close: () => void }) {
  const activa = person.estado === 'inactiva'
  return (
    <OpForm
      op="PATCH /api/personas/:id"
      input={{ params: { id: person.id }, body: { activa } }}
      submit={activa ? t('Enable', 'Activar') : t('Disable', 'Desactivar')}
      danger={!activa}
      cancel={close}
      done={() => {
        announce(activa ? t('Enabled.', 'Activada.') : t('Disabled.', 'Desactivada.'))
        close()
      }}
    >
      {() =>
        activa ? (
          <p>
            {t(
              'The person can sign in again. Revoked tokens stay revoked.',
              'La persona puede volver a entrar. Los tokens revocados siguen revocados.',
            )}
          </p>
        ) : (
          <>
            <p>{t('Sessions and links end at once.', 'Sus sesiones y enlaces terminan enseguida.')}</p>
            {person.tokens > 0 ? (
              <Note
                tone="warn"
                title={`${counted(person.tokens, ['token is', 'token se revoca'], ['tokens are', 'tokens se revocan'])} ${t('revoked', '')}`}
              >
                <p>
                  {t(
                    'What calls the API with them stops working.',
                    'Lo que llama a la API con ellos deja de funcionar.',
                  )}
                </p>
              </Note>
            ) : null}
          </>
        )
      }
    </OpForm>
  )
}

function RemoveFactor({ person, close }: { person: Person; close: () => void }) {
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="DELETE /api/personas/:id/segundo-factor"
      input={{ params: { id: person.id }, body: { contrasena } }}
      submit={t('Remove', 'Quitar')}
      danger
      cancel={close}
      done={() => {
        announce(t('Removed; tokens of that person are revoked.', 'Quitado; sus tokens quedan revocados.'))
        close()
      }}
    >
      {(error) => (
        <>
          <Note
            tone="warn"
            title={`${person.correo ?? ''}: ${counted(person.tokens, ['live token', 'token vivo'], ['live tokens', 'tokens vivos'])}`}
          >
            <p>
              {t(
                'The person enrols again at the next sign-in; all of their tokens are revoked.',
                'La persona se inscribe de nuevo al entrar; todos sus tokens se revocan.',
              )}
            </p>
          </Note>
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
