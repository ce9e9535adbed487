import { relative } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Token } from './data.ts'
import { texts } from './texts.ts'

/** Asks before a token is revoked, since that cannot be undone. */
export function RevokeToken({ token, close }: { token: Token | null; close: () => void }) {
  return (
    <Dialog title={texts.revokeAToken} opened={token !== null} close={close}>
      {token ? (
        <OpForm
          op="DELETE /api/tokens/:id"
          input={{ params: { id: token.id } }}
          submit={texts.revoke}
          danger
          cancel={close}
          done={() => {
            // Isolated (UAX #9): a name may hold marks that would turn the rest of the line round.
            const name = `\u2068${token.nombre}\u2069`
            announce(texts.isRevoked(name))
            close()
          }}
        >
          {() => (
            <>
              <p>
                <b>{token.nombre}</b> <code>{token.pista}</code>
              </p>
              <p>{texts.whatRevokingDoes}</p>
              <p className="faint">
                {token.ultimo_uso
                  ? `${texts.lastUsed} ${relative(token.ultimo_uso.cuando)}, ${texts.fromAddress} ${token.ultimo_uso.desde}.`
                  : texts.itWasNeverUsed}
              </p>
            </>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}
