import { queries } from '../../api/hooks.ts'
import { forget, type Person, session, signIn } from '../../api/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { dropUnsaved } from '../../ui/leave/unsaved.ts'
import { OverScreen } from './entrance.tsx'
import { SignIn } from './sign-in.tsx'
import { texts } from './texts.ts'

/** Signs in again over a screen whose session was ended, so that nothing typed there is lost. */
export function SignInAgain() {
  const now = session.use()
  const lapsed = now.kind === 'in' && now.lapsed === true
  // Of an admin who looked at a customer's account it is the admin's own session that was ended.
  const person = now.kind === 'in' ? (now.admin?.person ?? now.person) : null
  return (
    <Dialog title={texts.signInAgain} opened={lapsed} close={() => forget('ended')} over veils>
      <OverScreen value={true}>
        {person ? (
          <SignIn
            again={{
              person,
              done: (answer) => {
                signIn(answer)
                if (samePerson(person, answer.persona)) void queries.invalidateQueries()
                else {
                  dropUnsaved()
                  location.replace('/panel')
                }
              },
            }}
          />
        ) : null}
      </OverScreen>
    </Dialog>
  )
}

const samePerson = (a: Person, b: Person): boolean =>
  a.correo === b.correo && a.rol === b.rol && a.cliente === b.cliente
