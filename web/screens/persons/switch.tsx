import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { RevokedWith } from '../account/will-revoke.tsx'
import type { Admin } from './data.ts'
import { texts } from './texts.ts'

type Props = { admin: Admin | null; mine: string | null; close: () => void }

/** Disables an admin, after showing what dies with that, or enables one again. */
export function Switch({ admin, mine, close }: Props) {
  const enable = admin?.estado === 'inactiva'
  return (
    <Dialog
      title={enable ? texts.enableAnAdministrator : texts.disableAnAdministrator}
      opened={admin !== null}
      close={close}
    >
      {admin ? (
        <OpForm
          op="PATCH /api/personas/:id"
          input={{ params: { id: admin.id }, body: { activa: enable } }}
          submit={enable ? texts.enable : texts.disable}
          danger={!enable}
          cancel={close}
          done={() => {
            const who = admin.correo ?? admin.id
            announce(enable ? texts.maySignInAgain(who) : texts.isDisabled(who))
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
      <b>{admin.correo ?? admin.id}</b> {texts.whatEnablingDoes}
    </p>
  )
}

function Disabling({ admin, own }: { admin: Admin; own: boolean }) {
  return (
    <>
      <p>
        <b>{admin.correo ?? admin.id}</b> {texts.whatDisablingDoes}
      </p>
      {own ? <Note tone="warn" title={texts.thisIsYourself} /> : null}
      <RevokedWith creator={admin.correo ?? admin.id} />
    </>
  )
}
