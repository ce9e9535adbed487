import { useQuery } from '@tanstack/react-query'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { readAll } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { day, relative } from '../../text/format.ts'
import { Card, Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { texts } from './texts.ts'

export type Token = ItemOf<'GET /api/tokens'>

/** So many pages of 200 tokens are looked through for those of one admin. */
const PAGES = 5

/** The tokens that a change revokes, told before it is done (specification 5.1.8). */
export function WillRevoke({ tokens, complete = true }: { tokens: Token[]; complete?: boolean }) {
  if (tokens.length === 0 && complete) {
    return <Note tone="info" title={texts.revokesNoToken} />
  }
  return (
    <Note
      tone="warn"
      title={tokens.length === 1 ? texts.revokesOneToken : texts.revokesTokens(tokens.length)}
    >
      <ul className="bullets will-revoke">
        {tokens.map((token) => (
          <li key={token.id}>
            <b>{token.nombre}</b> <code>{token.pista}</code>{' '}
            <span className="faint">
              {texts.expires} {day(token.caduca)} · {lastUse(token)}
            </span>
          </li>
        ))}
      </ul>
      {complete ? null : <p>{texts.moreTokensThere}</p>}
      <p>{texts.whatRevokingDoes}</p>
    </Note>
  )
}

/** The same for another admin, found in the list of tokens by who made them. */
export function RevokedWith({ creator }: { creator: string }) {
  const found = useQuery<{ tokens: Token[]; complete: boolean }, ApiError>({
    queryKey: ['GET /api/tokens', 'of', creator],
    queryFn: async ({ signal }) => {
      try {
        const { rows, complete } = await readAll('GET /api/tokens', { most: PAGES, signal })
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
  ultimo_uso ? `${texts.lastUsed} ${relative(ultimo_uso.cuando)}` : texts.neverUsed

/** The own live tokens, shown before any change is begun. */
export function OwnTokens({ tokens }: { tokens: Token[] }) {
  return (
    <Card title={texts.yourApiTokens}>
      {tokens.length === 0 ? (
        <p className="faint">{texts.noTokensOfYours}</p>
      ) : (
        <>
          <p className="faint small">{texts.whatRevokesTokens}</p>
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
