import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, day, daysUntil, relative } from '../../text/format.ts'
import { SearchFilter, useFilter } from '../../ui/forms/filters.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { CreateToken } from './create.tsx'
import type { Token } from './data.ts'
import { RevokeToken } from './revoke.tsx'
import { texts } from './texts.ts'

/** Days before its end from which a token is marked: whoever uses it needs a new one by then. */
const SOON_DAYS = 14

/** API tokens: what other programs call the panel with. */
export default function Tokens() {
  const [buscar] = useFilter('buscar')
  const [creating, setCreating] = useCreating()
  const [revoking, setRevoking] = useState<Token | null>(null)
  const pages = usePages('GET /api/tokens', { query: buscar ? { buscar } : {} })
  const create = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setCreating(true)}>
      {texts.newToken}
    </Button>
  )
  return (
    <>
      <PageHead title={common.apiTokens} wire="GET /api/tokens" lead={texts.whatTokensAre}>
        {create}
      </PageHead>
      <search className="filters">
        <SearchFilter name="buscar" label={common.nameBeginsWith} />
      </search>
      <PagedTable
        label={common.apiTokens}
        pages={pages}
        columns={columns(setRevoking)}
        rowKey={({ id }) => id}
        rowClass={({ estado }) => (estado === 'valido' ? undefined : 'row-dead')}
        empty={
          buscar ? (
            <Empty icon="search" title={texts.noTokenBegins} />
          ) : (
            <Empty icon="token" title={texts.noTokensYet}>
              <p>{texts.oneForEachProgram}</p>
              {create}
            </Empty>
          )
        }
      />
      <CreateToken opened={creating} close={() => setCreating(false)} />
      <RevokeToken token={revoking} close={() => setRevoking(null)} />
    </>
  )
}

/** Whether a token is being made stands in the address, so that the search can lead there. */
function useCreating(): [boolean, (creating: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const set = (creating: boolean) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (creating) after.set('nuevo', '')
        else after.delete('nuevo')
        return after
      },
      { replace: true },
    )
  return [search.has('nuevo'), set]
}

const columns = (revoke: (token: Token) => void): Column<Token>[] => [
  {
    head: common.name,
    cell: ({ nombre, pista }) => (
      <>
        <span className="strong">{nombre}</span>
        <span className="sub">
          <code>{pista}</code>
        </span>
      </>
    ),
  },
  { head: common.state, cell: ({ estado }) => <State state={estado} />, narrow: true },
  { head: common.expires, cell: (token) => <Expiry token={token} />, narrow: true },
  { head: texts.lastUse, cell: (token) => <LastUse token={token} /> },
  {
    head: texts.madeBy,
    cell: ({ creador, creado }) => (
      <>
        {creador}
        <span className="sub">{dateTime(creado)}</span>
      </>
    ),
  },
  {
    head: common.actions,
    actions: true,
    cell: (token) =>
      token.estado === 'valido' ? (
        <SmallButton onClick={() => revoke(token)} aria-label={`${texts.revoke} ${token.nombre}`}>
          {texts.revoke}
        </SmallButton>
      ) : null,
  },
]

function Expiry({ token: { caduca, estado, revocado } }: { token: Token }) {
  if (revocado) {
    return (
      <>
        <s>{day(caduca)}</s>
        <span className="sub">
          {texts.revoked} {relative(revocado)}
        </span>
      </>
    )
  }
  // A token is good through the whole of its last day.
  const left = daysUntil(`${caduca}T23:59:59Z`)
  const soon = estado === 'valido' && left <= SOON_DAYS
  return (
    <>
      {day(caduca)}
      <span className={soon ? 'sub state tone-warn' : 'sub'}>
        {soon ? <Glyph tone="warn" /> : null}
        {relative(`${caduca}T23:59:59Z`)}
      </span>
    </>
  )
}

function LastUse({ token: { ultimo_uso } }: { token: Token }) {
  if (!ultimo_uso) return <span className="faint">{texts.never}</span>
  return (
    <>
      <time dateTime={ultimo_uso.cuando} title={dateTime(ultimo_uso.cuando)}>
        {relative(ultimo_uso.cuando)}
      </time>
      <span className="sub">
        {texts.fromAddress} <code>{ultimo_uso.desde}</code>
      </span>
    </>
  )
}
