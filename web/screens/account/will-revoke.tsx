import { useQuery } from '@tanstack/react-query'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { readAll } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { day, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Card, Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'

export type Token = ItemOf<'GET /api/tokens'>

/** So many pages of 200 tokens are looked through for those of one admin. */
const PAGES = 5

/** The tokens that a change revokes, told before it is done (specification 5.1.8). */
export function WillRevoke({ tokens, complete = true }: { tokens: Token[]; complete?: boolean }) {
  if (tokens.length === 0 && complete) {
    return (
      <Note
        tone="info"
        title={t('No API token is revoked by this.', 'Esto no revoca ningún token de API.')}
      />
    )
  }
  return (
    <Note
      tone="warn"
      title={
        tokens.length === 1
          ? t('This revokes 1 API token:', 'Esto revoca 1 token de API:')
          : t(`This revokes ${tokens.length} API tokens:`, `Esto revoca ${tokens.length} tokens de API:`)
      }
    >
      <ul className="bullets will-revoke">
        {tokens.map((token) => (
          <li key={token.id}>
            <b>{token.nombre}</b> <code>{token.pista}</code>{' '}
            <span className="faint">
              {t('expires', 'caduca')} {day(token.caduca)} · {lastUse(token)}
            </span>
          </li>
        ))}
      </ul>
      {complete ? null : (
        <p>
          {t(
            'There are more tokens than were looked through; others of this admin die too.',
            'Hay más tokens de los revisados; los demás de este administrador también mueren.',
          )}
        </p>
      )}
      <p>
        {t(
          'Whatever uses them is refused at its next request, until you give it a new token.',
          'Lo que los use será rechazado en su siguiente petición, hasta que le dé un token nuevo.',
        )}
      </p>
    </Note>
  )
}

/** The same for another admin, found in the list of tokens by who made them. */
export function RevokedWith({ creator }: { creator: string }) {
  const found = useQuery<{ tokens: Token[]; complete: boolean }, ApiError>({
    queryKey: ['GET /api/tokens', 'of', creator],
    queryFn: async ({ signal }) => {
      try {
        const { rows, complete } = await readAll('GET /api/tokens', {}, PAGES, signal)
        const live = ({ creador, estado }: Token) => creador === creator && estado === 'valido'
        return { tokens: rows.filter(live), complete }
      } catch (thrown) {
        if (signal.aborted) throw thrown
        throw asApiError(thrown)
      }
    },
  })
  return (
    <Loaded of={found} lines={2}>
      {({ tokens, complete }) => <WillRevoke tokens={tokens} complete={complete} />}
    </Loaded>
  )
}

const lastUse = ({ ultimo_uso }: Token): string =>
  ultimo_uso
    ? `${t('last used', 'último uso')} ${relative(ultimo_uso.cuando)}`
    : t('never used', 'nunca usado')

/** The own live tokens, shown before any change is begun. */
export function OwnTokens({ tokens }: { tokens: Token[] }) {
  return (
    <Card title={t('Your API tokens', 'Sus tokens de API')}>
      {tokens.length === 0 ? (
        <p className="faint">{t('You have made none that is valid.', 'No ha creado ninguno que valga.')}</p>
      ) : (
        <>
          <p className="faint small">
            {t(
              'A change of password or authenticator revokes them.',
              'Un cambio de contraseña o de autenticador los revoca.',
            )}
          </p>
          <ul className="own-tokens">
            {tokens.map((token) => (
              <li key={token.id}>
                <b>{token.nombre}</b> <code>{token.pista}</code>
                <span className="sub">{lastUse(token)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
