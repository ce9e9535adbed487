import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { RevokedWith } from '../account/will-revoke.tsx'
import type { Admin } from './list.tsx'

type Props = { admin: Admin | null; mine: string | null; close: () => void }

/** Disables an admin, after showing what dies with that, or enables one again. */
export function Switch({ admin, mine, close }: Props) {
  const enable = admin?.estado === 'inactiva'
  return (
    <Dialog
      title={
        enable
          ? t('Enable an administrator', 'Activar a un administrador')
          : t('Disable an administrator', 'Desactivar a un administrador')
      }
      opened={admin !== null}
      close={close}
    >
      {admin ? (
        <OpForm
          op="PATCH /api/personas/:id"
          input={{ params: { id: admin.id }, body: { activa: enable } }}
          submit={enable ? t('Enable', 'Activar') : t('Disable', 'Desactivar')}
          danger={!enable}
          cancel={close}
          done={() => {
            const who = admin.correo ?? admin.id
            announce(
              enable
                ? t(`${who} may sign in again`, `${who} puede volver a entrar`)
                : t(`${who} is disabled`, `${who} está desactivado`),
            )
            close()
          }}
        >
          {() =>
            enable ? <Enabling admin={admin} /> : <Disabling admin={admin} own={admin.correo === mine} />
          }
        </OpForm>
      ) : null}
    </Dialog>
  )
}

function Enabling({ admin }: { admin: Admin }) {
  return (
    <p>
      <b>{admin.correo ?? admin.id}</b>{' '}
      {t(
        'may sign in again with the password and factor as they were. Revoked tokens stay revoked.',
        'podrá volver a entrar con su contraseña y su factor de antes. Los tokens revocados siguen revocados.',
      )}
    </p>
  )
}

function Disabling({ admin, own }: { admin: Admin; own: boolean }) {
  return (
    <>
      <p>
        <b>{admin.correo ?? admin.id}</b>{' '}
        {t(
          'cannot sign in any more; the open sessions and links end at once.',
          'ya no podrá entrar; sus sesiones y enlaces abiertos terminan en el acto.',
        )}
      </p>
      {own ? (
        <Note
          tone="warn"
          title={t(
            'This is your own account: you will be signed out.',
            'Es su propia cuenta: saldrá del panel.',
          )}
        />
      ) : null}
      <RevokedWith creator={admin.correo ?? admin.id} />
    </>
  )
}
