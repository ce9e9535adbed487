import { relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Token } from './list.tsx'

/** Asks before a token is revoked, since that cannot be undone. */
export function RevokeToken({ token, close }: { token: Token | null; close: () => void }) {
  return (
    <Dialog title={t('Revoke a token', 'Revocar un token')} opened={token !== null} close={close}>
      {token ? (
        <OpForm
          op="DELETE /api/tokens/:id"
          input={{ params: { id: token.id } }}
          submit={t('Revoke', 'Revocar')}
          danger
          cancel={close}
          done={() => {
            // Isolated (UAX #9): a name may hold marks that would turn the rest of the line round.
            const name = `\u2068${token.nombre}\u2069`
            announce(t(`${name} is revoked`, `${name} está revocado`))
            close()
          }}
        >
          {() => (
            <>
              <p>
                <b>{token.nombre}</b> <code>{token.pista}</code>
              </p>
              <p>
                {t(
                  'Whatever uses it is refused at its next request. A revoked token cannot be brought back.',
                  'Lo que lo use será rechazado en su siguiente petición. Un token revocado no se puede recuperar.',
                )}
              </p>
              <p className="faint">
                {token.ultimo_uso
                  ? `${t('Last used', 'Último uso')} ${relative(token.ultimo_uso.cuando)}, ${t('from', 'desde')} ${token.ultimo_uso.desde}.`
                  : t('It was never used.', 'No se ha usado nunca.')}
              </p>
            </>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}
