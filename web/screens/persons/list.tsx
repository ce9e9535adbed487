import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Glyph, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import type { Admin } from './data.ts'
import { Invite } from './invite.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { Switch } from './switch.tsx'
import { texts } from './texts.ts'

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
      <PageHead title={texts.administrators} wire="GET /api/personas" lead={texts.whatAdministratorsAre}>
        <Button
          leftSection={<Icon name="mail" size={14} />}
          onClick={() => setChange({ what: 'invite', correo: '' })}
        >
          {texts.invite}
        </Button>
      </PageHead>
      <PagedTable
        label={texts.administrators}
        pages={pages}
        columns={columns(mine, setChange)}
        rowKey={({ id }) => id}
        rowClass={({ estado }) => (estado === 'inactiva' ? 'row-dead' : undefined)}
        empty={<Empty icon="persons" title={texts.nobodyYet} />}
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
    head: common.eMail,
    cell: ({ correo, creado }) => (
      <>
        <span className="strong">{correo ?? texts.notChosenYet}</span>{' '}
        {correo !== null && correo === mine ? <span className="chip">{texts.you}</span> : null}
        <span className="sub">
          {texts.since} {dateTime(creado)}
        </span>
      </>
    ),
  },
  {
    head: common.state,
    narrow: true,
    cell: ({ estado }) =>
      estado === 'pendiente' ? <State state={estado} label={texts.invited} /> : <State state={estado} />,
  },
  {
    head: common.secondFactor,
    narrow: true,
    cell: ({ segundo_factor }) => (
      <span className="state">
        <Glyph tone={segundo_factor ? 'good' : 'off'} />
        {segundo_factor ? texts.yes : texts.notYet}
      </span>
    ),
  },
  { head: texts.tokens, narrow: true, end: true, cell: ({ tokens }) => number(tokens) },
  {
    head: common.lastSignIn,
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
    head: common.actions,
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
        <SmallButton
          onClick={() => start({ what: 'invite', correo })}
          aria-label={`${texts.sendANewerLink}: ${whom}`}
        >
          {texts.sendANewerLink}
        </SmallButton>
      ) : null}
      {segundo_factor ? (
        <SmallButton
          onClick={() => start({ what: 'factor', admin })}
          aria-label={`${texts.removeFactor}: ${whom}`}
        >
          {texts.removeFactor}
        </SmallButton>
      ) : null}
      <SmallButton
        onClick={() => start({ what: 'switch', admin })}
        aria-label={`${estado === 'inactiva' ? texts.enable : texts.disable}: ${whom}`}
      >
        {estado === 'inactiva' ? texts.enable : texts.disable}
      </SmallButton>
    </div>
  )
}
