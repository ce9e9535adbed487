import { session } from '../../api/session.ts'
import { createStore } from '../../api/store.ts'
import { remember, remembered } from '../../text/language.ts'
import { texts } from '../texts.ts'

const KEY = 'panel.api'

/** Whether this browser's operator wants to see the API's names on the screens. */
export const wireChosen = createStore<boolean>(remembered(KEY) !== null)

export function chooseWire(on: boolean): void {
  remember(KEY, on ? '1' : null)
  wireChosen.set(on)
}

/** Only an operator can make a token: to others the API's names say nothing. */
export function useIsOperator(): boolean {
  const now = session.use()
  return now.kind === 'in' && now.person.rol === 'admin'
}

/** Which operation of the API a screen shows, for operators who have chosen to see it. */
export function Wire({ op }: { op: string }) {
  const shown = wireChosen.use()
  if (!useIsOperator() || !shown) return null
  const [method, path] = op.split(' ')
  return (
    <p className="wire">
      <span className="visually-hidden">{texts.apiOperation}: </span>
      <b>{method}</b> {path}
    </p>
  )
}
