import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { dateTime, number, percent } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Bar } from '../../ui/meter.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { AccountForm } from './account-form.tsx'
import type { Account } from './data.ts'
import { When } from './details.tsx'
import { texts } from './texts.ts'
import { providerName } from './words.ts'

/** The provider account: its state, its quota and where that is known from, its change and removal. */
export function AccountCard({ account, node }: { account: Account; node: string | undefined }) {
  const [dialog, setDialog] = useState<'change' | 'remove' | null>(null)
  const close = () => setDialog(null)
  return (
    <Card
      title={providerName(account.tipo)}
      wire="GET /api/dns/proveedor"
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => setDialog('change')}>
            {texts.changeTheCredential}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
            {texts.remove}
          </Button>
        </>
      }
    >
      <div className="halves">
        <Facts
          items={[
            [common.state, <State key="s" state={account.estado} />],
            ...(account.pausa_hasta
              ? [[texts.pausedUntil, dateTime(account.pausa_hasta)] as [string, string]]
              : []),
            ...(account.url
              ? [[common.address, <code key="u">{account.url}</code>] as [string, React.ReactNode]]
              : []),
            [common.account, account.cuenta ? <code key="c">{account.cuenta}</code> : null],
            [common.node, <code key="n">{account.nodo}</code>],
            [texts.checked, <When key="w" at={account.comprobado} />],
          ]}
        />
        <div className="stack">
          <Quota quota={account.cuota} />
          <p className="small faint">{account.aviso}</p>
        </div>
      </div>
      {account.estado === 'rechazada' ? (
        <Note tone="bad" title={texts.providerRefusesCredential}>
          <p>{texts.nothingIsSynced}</p>
        </Note>
      ) : null}
      <Dialog title={texts.changeTheCredential} opened={dialog === 'change'} close={close}>
        <AccountForm node={node} account={account} done={close} cancel={close} />
      </Dialog>
      <Dialog title={texts.removeTheAccount} opened={dialog === 'remove'} close={close}>
        <Removal account={account} node={node} close={close} />
      </Dialog>
    </Card>
  )
}

/** Zones in the account against its limit, and who says so. */
function Quota({ quota }: { quota: Account['cuota'] }) {
  const { usadas, limite, origen, nivel } = quota
  const share = usadas !== null && limite ? usadas / limite : null
  const tone = nivel === 'lleno' || nivel === 'critico' ? 'bad' : nivel === 'aviso' ? 'warn' : 'good'
  const said = {
    api: texts.limitFromProvider,
    admin: texts.limitFromAdmin,
    aprendida: texts.limitFromRefusal,
  }
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{texts.zonesInTheAccount}</span>
        <span className="faint small">{origen ? said[origen] : texts.limitUnknown}</span>
      </div>
      <p className="meter-value">
        <b>{usadas === null ? '—' : number(usadas)}</b>{' '}
        <span>
          {limite === null ? '' : `${common.of} ${number(limite)}`}
          {share === null ? '' : ` · ${percent(share * 100)}`}
        </span>
      </p>
      <Bar share={share} tone={tone} />
    </div>
  )
}

function Removal({
  account,
  node,
  close,
}: {
  account: Account
  node: string | undefined
  close: () => void
}) {
  const [typed, setTyped] = useState('')
  return (
    <OpForm
      op="DELETE /api/dns/proveedor"
      input={{ query: node ? { nodo: node } : {} }}
      submit={texts.removeTheAccount}
      danger
      disabled={typed.trim().toLowerCase() !== account.tipo}
      cancel={close}
      done={({ data }) => {
        announce('eliminado' in data ? texts.theAccountIsRemoved : texts.copiesGoFirst(data.zonas))
        close()
      }}
    >
      {() => (
        <>
          <Note tone="warn" title={texts.allCopiesDeleted}>
            <p>{texts.foreignZonesStay}</p>
          </Note>
          <TextField
            mono
            label={texts.typeToConfirm(account.tipo)}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
