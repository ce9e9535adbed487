import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { dateTime, day, daysUntil, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { SearchFilter, useFilter } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { CreateToken } from './create.tsx'
import { RevokeToken } from './revoke.tsx'

export type Token = ItemOf<'GET /api/tokens'>

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
      {t('New token', 'Nuevo token')}
    </Button>
  )
  return (
    <>
      <PageHead
        title={t('API tokens', 'Tokens de API')}
        wire="GET /api/tokens"
        lead={t(
          'A program calls the panel with a token. It may do what an admin may, except what needs a person.',
          'Un programa llama al panel con un token. Puede lo que un administrador, salvo lo que requiere una persona.',
        )}
      >
        {create}
      </PageHead>
      <search className="filters">
        <SearchFilter name="buscar" label={t('Name begins with', 'El nombre empieza por')} />
      </search>
      <PagedTable
        label={t('API tokens', 'Tokens de API')}
        pages={pages}
        columns={columns(setRevoking)}
        rowKey={({ id }) => id}
        rowClass={({ estado }) => (estado === 'valido' ? undefined : 'row-dead')}
        empty={
          buscar ? (
            <Empty icon="search" title={t('No token begins with that', 'Ningún token empieza así')} />
          ) : (
            <Empty icon="token" title={t('No tokens yet', 'Aún no hay tokens')}>
              <p>
                {t(
                  'Make one for each program that calls the panel: then each can be revoked alone.',
                  'Cree uno para cada programa que llame al panel: así cada uno se puede revocar solo.',
                )}
              </p>
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
    head: t('Name', 'Nombre'),
    cell: ({ nombre, pista }) => (
      <>
        <span className="strong">{nombre}</span>
        <span className="sub">
          <code>{pista}</code>
        </span>
      </>
    ),
  },
  { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} />, narrow: true },
  { head: t('Expires', 'Caduca'), cell: (token) => <Expiry token={token} />, narrow: true },
  { head: t('Last use', 'Último uso'), cell: (token) => <LastUse token={token} /> },
  {
    head: t('Made by', 'Creado por'),
    cell: ({ creador, creado }) => (
      <>
        {creador}
        <span className="sub">{dateTime(creado)}</span>
      </>
    ),
  },
  {
    head: t('Actions', 'Acciones'),
    actions: true,
    cell: (token) =>
      token.estado === 'valido' ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => revoke(token)}
          aria-label={`${t('Revoke', 'Revocar')} ${token.nombre}`}
        >
          {t('Revoke', 'Revocar')}
        </Button>
      ) : null,
  },
]

function Expiry({ token: { caduca, estado, revocado } }: { token: Token }) {
  if (revocado) {
    return (
      <>
        <s>{day(caduca)}</s>
        <span className="sub">
          {t('revoked', 'revocado')} {relative(revocado)}
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
  if (!ultimo_uso) return <span className="faint">{t('never', 'nunca')}</span>
  return (
    <>
      <time dateTime={ultimo_uso.cuando} title={dateTime(ultimo_uso.cuando)}>
        {relative(ultimo_uso.cuando)}
      </time>
      <span className="sub">
        {t('from', 'desde')} <code>{ultimo_uso.desde}</code>
      </span>
    </>
  )
}
