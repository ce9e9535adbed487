import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { relative } from '../../text/format.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card, Empty, Facts, Loaded, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import type { Account, Server as ServerData } from './data.ts'
import { NewAccount } from './new-account.tsx'
import { FirstCredential, Keys, Password, Remove } from './parts.tsx'
import { texts } from './texts.ts'

type Asked =
  | { what: 'keys' | 'password' | 'remove' | 'credential'; account: Account }
  | { what: 'new' }
  | null

/** A customer's own. */
export default function OwnSftp() {
  const me = useRead('GET /api/yo', {})
  return (
    <>
      <PageHead
        title={texts.sftpAccess}
        lead={texts.whatSftpIs}
        wire="GET /api/clientes/:cliente/cuentas-sftp"
      />
      <Loaded of={me}>{(me) => (me.cliente ? <SftpAccounts cliente={me.cliente} /> : null)}</Loaded>
    </>
  )
}

/** Where a client's SFTP accounts sign in, and with what. */
export function SftpAccounts({ cliente }: { cliente: string }) {
  const input = { params: { cliente } }
  const [asked, ask] = useState<Asked>(null)
  const busy = (rows: Account[]) => rows.some(({ estado }) => estado === 'preparando')
  const pages = usePages('GET /api/clientes/:cliente/cuentas-sftp', input, {
    again: (rows) => (busy(rows) ? 2000 : false),
  })
  const listing = useRead('GET /api/clientes/:cliente/cuentas-sftp', input)
  const create = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => ask({ what: 'new' })}>
      {texts.newAccount}
    </Button>
  )
  return (
    <div className="stack">
      <Loaded of={listing}>{({ servidor }) => <Server server={servidor} />}</Loaded>
      <Card flush title={texts.accounts} actions={pages.rows.length > 0 ? create : null}>
        <PagedTable
          label={texts.accounts}
          pages={pages}
          columns={columns(ask)}
          rowKey={({ cuenta }) => cuenta}
          empty={
            <Empty icon="upload" title={texts.noAccountsYet}>
              <p>{texts.whatAccountsAre}</p>
              {create}
            </Empty>
          }
        />
      </Card>
      <Asking asked={asked} cliente={cliente} ask={ask} />
    </div>
  )
}

function Server({ server }: { server: ServerData }) {
  if (server === null) {
    return (
      <Note tone="warn" title={texts.nodeHasNoSftp}>
        <p>{texts.askTheOperator}</p>
      </Note>
    )
  }
  const copied = (value: string) => (
    <span className="head-line">
      <code>{value}</code>
      <CopyButton value={value} />
    </span>
  )
  return (
    <Card title={texts.howToConnect}>
      <Facts
        items={[
          [texts.address, copied(server.host)],
          [texts.port, copied(String(server.puerto))],
          [
            texts.fingerprints,
            <div key="f">
              {server.huellas.map((one) => (
                <div key={one}>
                  <code className="break">{one}</code>
                </div>
              ))}
              <p className="small faint">{texts.fingerprintsHint}</p>
            </div>,
          ],
        ]}
      />
    </Card>
  )
}

const columns = (ask: (asked: Asked) => void): Column<Account>[] => [
  { head: common.account, cell: ({ cuenta }) => <code className="strong">{cuenta}</code> },
  { head: common.state, cell: ({ estado }) => <State state={estado} />, narrow: true },
  { head: texts.sees, cell: ({ sitio }) => (sitio === null ? texts.allSites : <code>{sitio}</code>) },
  { head: texts.signsInWith, cell: signsInWith },
  {
    head: texts.lastSession,
    cell: ({ ultimo_acceso }) => (ultimo_acceso ? relative(ultimo_acceso) : texts.never),
  },
  {
    head: texts.actions,
    actions: true,
    cell: (account) => (
      <>
        <SmallButton onClick={() => ask({ what: 'keys', account })}>{texts.setKeys}</SmallButton>{' '}
        <SmallButton onClick={() => ask({ what: 'password', account })}>{common.password}</SmallButton>{' '}
        <SmallButton onClick={() => ask({ what: 'remove', account })}>{common.delete}</SmallButton>
      </>
    ),
  },
]

function signsInWith({ llaves, contrasena }: Account): string {
  const parts = [
    ...(llaves.length > 0 ? [texts.keys(llaves.length)] : []),
    ...(contrasena ? [texts.passwordWord] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : texts.nothingYet
}

type AskingProps = { asked: Asked; cliente: string; ask: (asked: Asked) => void }

function Asking({ asked, cliente, ask }: AskingProps) {
  const close = () => ask(null)
  if (asked === null) return null
  if (asked.what === 'new') {
    return (
      <Dialog title={texts.newAccount} opened close={close}>
        <NewAccount
          cliente={cliente}
          close={close}
          made={(account) => ask({ what: 'credential', account })}
        />
      </Dialog>
    )
  }
  const { account, what } = asked
  const part = { cliente, account, close }
  if (what === 'password') return <Password {...part} />
  if (what === 'credential') {
    return (
      <Dialog title={texts.accountMade(account.cuenta)} opened close={close}>
        <FirstCredential choose={(next) => ask({ what: next, account })} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`${what === 'keys' ? texts.setKeys : texts.deleteAccount} · ${account.cuenta}`}
      opened
      close={close}
    >
      {what === 'keys' ? <Keys {...part} /> : <Remove {...part} />}
    </Dialog>
  )
}
