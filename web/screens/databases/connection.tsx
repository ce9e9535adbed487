import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { CopyButton, CopyLine } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card, Facts, Loaded } from '../../ui/page.tsx'
import { type Made, NewAccount, Password, RemoveAccount } from './account.tsx'
import { texts } from './texts.ts'

type Database = OutputOf<'GET /api/bases/:base'>

/** How a database is reached, and the accounts with a password that it has. */
export function Connection({ base, opened, close }: { base: string; opened: boolean; close: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  const leave = () => {
    setMade(null)
    close()
  }
  return (
    <Dialog title={`${texts.connect}: ${base}`} opened={opened} close={leave} once={made !== null}>
      {made ? (
        <Password made={made} done={() => setMade(null)} />
      ) : opened ? (
        <Ways base={base} made={setMade} />
      ) : null}
    </Dialog>
  )
}

function Ways({ base, made }: { base: string; made: (account: Made) => void }) {
  const read = useRead('GET /api/bases/:base', { params: { base } })
  return (
    <Loaded of={read}>
      {(database) => (
        <div className="stack">
          <OwnPrograms database={database} />
          <Accounts database={database} made={made} />
        </div>
      )}
    </Loaded>
  )
}

function OwnPrograms({ database }: { database: Database }) {
  const { base, usuario, socket } = database
  const line = `new PDO('mysql:host=localhost;dbname=${base};charset=utf8mb4', '${usuario ?? ''}')`
  return (
    <Card title={texts.fromPhp}>
      <p className="small">{texts.noPassword}</p>
      <Facts
        items={[
          [texts.host, <Copied key="h" of={texts.host} value="localhost" />],
          [texts.database, <Copied key="b" of={texts.database} value={base} />],
          [texts.user, <Copied key="u" of={texts.user} value={usuario} />],
          [texts.password, texts.none],
          [texts.socket, <Copied key="s" of={texts.socket} value={socket} />],
        ]}
      />
      <CopyLine value={line} label={texts.phpLine} />
    </Card>
  )
}

function Copied({ of, value }: { of: string; value: string | null }) {
  if (value === null) return '—'
  return (
    <span className="head-line">
      <code className="break">{value}</code>
      <CopyButton value={value} label={texts.copyIt(of)} />
    </span>
  )
}

function Accounts({ database, made }: { database: Database; made: (account: Made) => void }) {
  const { base, cuentas, conexion } = database
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  if (adding) return <NewAccount base={base} done={made} cancel={() => setAdding(false)} />
  if (removing) return <RemoveAccount base={base} usuario={removing} close={() => setRemoving(null)} />
  return (
    <Card title={texts.accounts}>
      <p className="small">
        {texts.whatForAccounts} {conexion ? <code>127.0.0.1:{conexion.puerto}</code> : null}
      </p>
      <Facts
        items={cuentas.map(({ usuario, solo_lectura }) => [
          usuario,
          <span key={usuario}>
            {solo_lectura ? texts.readsOnly : texts.readsAndWrites}{' '}
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => setRemoving(usuario)}
              aria-label={`${texts.deleteAccount} ${usuario}`}
            >
              {texts.deleteAccount}
            </Button>
          </span>,
        ])}
      />
      <Button size="xs" variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
        {texts.newAccount}
      </Button>
    </Card>
  )
}
