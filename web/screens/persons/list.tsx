import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { dateTime, number, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../../ui/page.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { Invite } from './invite.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { Switch } from './switch.tsx'

export type Admin = ItemOf<'GET /api/personas'>
type Change = { what: 'invite'; correo: string } | { what: 'switch' | 'factor'; admin: Admin }

/** Who administers the panel. */
export default function Persons() {
  const [change, setChange] = useState<Change | null>(null)
  const pages = usePages('GET /api/personas', {})
  const me = useRead('GET /api/yo', {})
  const mine = me.data?.correo ?? null
  const close = () => setChange(null)
  return (
    <>
      <PageHead
        title={t('Administrators', 'Administradores')}
        wire="GET /api/personas"
        lead={t(
          'Persons who may do everything in the panel. They are invited by mail and choose their own password and second factor.',
          'Personas que pueden hacerlo todo en el panel. Se las invita por correo y eligen su contraseña y su segundo factor.',
        )}
      >
        <Button
          leftSection={<Icon name="mail" size={14} />}
          onClick={() => setChange({ what: 'invite', correo: '' })}
        >
          {t('Invite', 'Invitar')}
        </Button>
      </PageHead>
      <PagedTable
        label={t('Administrators', 'Administradores')}
        pages={pages}
        columns={columns(mine, setChange)}
        rowKey={({ id }) => id}
        rowClass={({ estado }) => (estado === 'inactiva' ? 'row-dead' : undefined)}
        empty={<Empty icon="persons" title={t('Nobody yet', 'Aún no hay nadie')} />}
      />
      <Invite
        opened={change?.what === 'invite'}
        email={change?.what === 'invite' ? change.correo : ''}
        close={close}
      />
      <Switch admin={change?.what === 'switch' ? change.admin : null} mine={mine} close={close} />
      <RemoveFactor admin={change?.what === 'factor' ? change.admin : null} mine={mine} close={close} />
    </>
  )
}

const columns = (mine: string | null, start: (change: Change) => void): Column<Admin>[] => [
  {
    head: t('E-mail', 'Correo'),
    cell: ({ correo, creado }) => (
      <>
        <span className="strong">{correo ?? t('Not chosen yet', 'Sin elegir')}</span>{' '}
        {correo !== null && correo === mine ? <span className="chip">{t('you', 'usted')}</span> : null}
        <span className="sub">
          {t('since', 'desde')} {dateTime(creado)}
        </span>
      </>
    ),
  },
  {
    head: t('State', 'Estado'),
    narrow: true,
    cell: ({ estado }) =>
      estado === 'pendiente' ? (
        <State state={estado} label={t('Invited', 'Invitada')} />
      ) : (
        <State state={estado} />
      ),
  },
  {
    head: t('Second factor', 'Segundo factor'),
    narrow: true,
    cell: ({ segundo_factor }) => (
      <span className="state">
        <Glyph tone={segundo_factor ? 'good' : 'off'} />
        {segundo_factor ? t('Yes', 'Sí') : t('Not yet', 'Aún no')}
      </span>
    ),
  },
  { head: t('Tokens', 'Tokens'), narrow: true, end: true, cell: ({ tokens }) => number(tokens) },
  {
    head: t('Last sign-in', 'Última entrada'),
    cell: ({ ultimo_acceso }) =>
      ultimo_acceso ? (
        <time dateTime={ultimo_acceso} title={dateTime(ultimo_acceso)}>
          {relative(ultimo_acceso)}
        </time>
      ) : (
        <Nothing />
      ),
  },
  {
    head: t('Actions', 'Acciones'),
    actions: true,
    cell: (admin) => <Actions admin={admin} start={start} />,
  },
]

function Actions({ admin, start }: { admin: Admin; start: (change: Change) => void }) {
  const { correo, estado, segundo_factor } = admin
  const whom = correo ?? ''
  return (
    <div className="actions row-buttons">
      {estado === 'pendiente' && correo ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => start({ what: 'invite', correo })}
          aria-label={`${t('Send a newer link', 'Enviar otro enlace')}: ${whom}`}
        >
          {t('Send a newer link', 'Enviar otro enlace')}
        </Button>
      ) : null}
      {segundo_factor ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => start({ what: 'factor', admin })}
          aria-label={`${t('Remove factor', 'Quitar factor')}: ${whom}`}
        >
          {t('Remove factor', 'Quitar factor')}
        </Button>
      ) : null}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => start({ what: 'switch', admin })}
        aria-label={`${estado === 'inactiva' ? t('Enable', 'Activar') : t('Disable', 'Desactivar')}: ${whom}`}
      >
        {estado === 'inactiva' ? t('Enable', 'Activar') : t('Disable', 'Desactivar')}
      </Button>
    </div>
  )
}
