import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../api/operations.ts'
import { dateTime, number, percent } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Bar } from '../../ui/meter.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { AccountForm } from './account-form.tsx'
import { When } from './details.tsx'
import { providerName } from './words.ts'

export type Account = OutputOf<'GET /api/dns/proveedor'>

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
            {t('Change the credential', 'Cambiar la credencial')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
            {t('Remove', 'Retirar')}
          </Button>
        </>
      }
    >
      <div className="halves">
        <Facts
          items={[
            [t('State', 'Estado'), <State key="s" state={account.estado} />],
            ...(account.pausa_hasta
              ? [[t('Paused until', 'En pausa hasta'), dateTime(account.pausa_hasta)] as [string, string]]
              : []),
            ...(account.url
              ? [[t('Address', 'Dirección'), <code key="u">{account.url}</code>] as [string, React.ReactNode]]
              : []),
            [t('Account', 'Cuenta'), account.cuenta ? <code key="c">{account.cuenta}</code> : null],
            [t('Node', 'Nodo'), <code key="n">{account.nodo}</code>],
            [t('Checked', 'Comprobada'), <When key="w" at={account.comprobado} />],
          ]}
        />
        <div className="stack">
          <Quota quota={account.cuota} />
          <p className="small faint">{account.aviso}</p>
        </div>
      </div>
      {account.estado === 'rechazada' ? (
        <Note
          tone="bad"
          title={t('The provider refuses the credential.', 'El proveedor rechaza la credencial.')}
        >
          <p>
            {t(
              'Nothing is synced until a working one of the same account is entered.',
              'No se sincroniza nada hasta que se ponga una que funcione, de la misma cuenta.',
            )}
          </p>
        </Note>
      ) : null}
      <Dialog
        title={t('Change the credential', 'Cambiar la credencial')}
        opened={dialog === 'change'}
        close={close}
      >
        <AccountForm node={node} account={account} done={close} cancel={close} />
      </Dialog>
      <Dialog title={t('Remove the account', 'Retirar la cuenta')} opened={dialog === 'remove'} close={close}>
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
    api: t('limit told by the provider', 'límite indicado por el proveedor'),
    admin: t('limit typed by an admin', 'límite escrito por un admin'),
    aprendida: t('limit learned from a refusal', 'límite aprendido de un rechazo'),
  }
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{t('Zones in the account', 'Zonas en la cuenta')}</span>
        <span className="faint small">
          {origen ? said[origen] : t('limit unknown', 'límite desconocido')}
        </span>
      </div>
      <p className="meter-value">
        <b>{usadas === null ? '—' : number(usadas)}</b>{' '}
        <span>
          {limite === null ? '' : `${t('of', 'de')} ${number(limite)}`}
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
      submit={t('Remove the account', 'Retirar la cuenta')}
      danger
      disabled={typed.trim().toLowerCase() !== account.tipo}
      cancel={close}
      done={({ data }) => {
        announce(
          'eliminado' in data
            ? t('The account is removed', 'La cuenta se ha retirado')
            : t(
                `The copies are being removed first: ${data.zonas}`,
                `Primero se retiran las copias: ${data.zonas}`,
              ),
        )
        close()
      }}
    >
      {() => (
        <>
          <Note
            tone="warn"
            title={t(
              'Every mirrored zone is deleted at the provider.',
              'Se borran del proveedor todas las zonas espejadas.',
            )}
          >
            <p>
              {t(
                'What others made in the account is left alone.',
                'Lo que hayan creado otros en la cuenta no se toca.',
              )}
            </p>
          </Note>
          <TextField
            mono
            label={t(`Type ${account.tipo} to confirm`, `Escriba ${account.tipo} para confirmar`)}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </OpForm>
  )
}
