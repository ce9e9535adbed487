import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import type { InputOf, OutputOf } from '../api/operations.ts'
import { dateTime, number, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Bar } from '../ui/meter.tsx'
import { Card, Facts, Waiting } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import { Password } from './sign-in.tsx'

type Account = OutputOf<'GET /api/dns/proveedor'>
type Entered = InputOf<'PUT /api/dns/proveedor'>['body']

const KINDS = [
  { value: 'powerdns', label: 'PowerDNS' },
  { value: 'cloudflare', label: 'Cloudflare' },
  { value: 'desec', label: 'deSEC' },
  { value: 'hetzner', label: 'Hetzner DNS' },
]

/** The provider account of this node: one, and never its credential. */
export function Provider() {
  const account = useRead('GET /api/dns/proveedor', {}, { again: () => 30_000 })
  const [dialog, setDialog] = useState<'enter' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const none = account.error?.codigo === 'proveedor_no_existe'
  return (
    <Card
      title={t('Provider account', 'Cuenta del proveedor')}
      wire="GET /api/dns/proveedor"
      actions={
        <>
          <Button size="xs" variant={none ? 'filled' : 'default'} onClick={() => setDialog('enter')}>
            {none ? t('Enter the account', 'Introducir la cuenta') : t('New credential', 'Otra credencial')}
          </Button>
          {account.data ? (
            <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
              {t('Remove', 'Quitar')}
            </Button>
          ) : null}
        </>
      }
    >
      {account.data && !none ? <About account={account.data} /> : null}
      {none ? (
        <p className="faint">
          {t(
            'There is none: no zone is copied anywhere.',
            'No hay ninguna: no se copia ninguna zona a ningún sitio.',
          )}
        </p>
      ) : null}
      {account.error && !none ? (
        <ErrorNote error={account.error} retry={() => void account.refetch()} />
      ) : null}
      {account.isPending && !none ? <Waiting lines={3} /> : null}
      <Dialog title={t('Provider account', 'Cuenta del proveedor')} opened={dialog === 'enter'} close={close}>
        <Enter known={none ? null : (account.data ?? null)} close={close} />
      </Dialog>
      <Dialog
        title={t('Remove the account?', '¿Quitar la cuenta?')}
        opened={dialog === 'remove'}
        close={close}
      >
        <OpForm
          op="DELETE /api/dns/proveedor"
          input={{}}
          submit={t('Remove', 'Quitar')}
          danger
          cancel={close}
          done={({ data }) => {
            announce(
              'eliminado' in data
                ? t('Removed.', 'Quitada.')
                : `${t('Zones left to remove there:', 'Zonas que faltan por retirar allí:')} ${number(data.zonas)}`,
            )
            close()
          }}
        >
          {() => (
            <p>
              {t(
                'Its mirrored zones are removed at the provider first; then the credential is forgotten.',
                'Primero se retiran en el proveedor las zonas en espejo; después se olvida la credencial.',
              )}
            </p>
          )}
        </OpForm>
      </Dialog>
    </Card>
  )
}

function About({ account }: { account: Account }) {
  const kind = KINDS.find(({ value }) => value === account.tipo)?.label ?? account.tipo
  return (
    <div className="halves">
      <Facts
        items={[
          [t('Provider', 'Proveedor'), kind],
          [t('State', 'Estado'), <State key="s" state={account.estado} />],
          [t('Account', 'Cuenta'), account.cuenta ? <code key="c">{account.cuenta}</code> : null],
          ...(account.url
            ? ([['URL', <code key="u">{account.url}</code>]] as [string, React.ReactNode][])
            : []),
          [t('Node', 'Nodo'), <code key="n">{account.nodo}</code>],
          [
            t('Checked', 'Comprobada'),
            <span key="t" title={dateTime(account.comprobado)}>
              {relative(account.comprobado)}
            </span>,
          ],
          ...(account.pausa_hasta
            ? ([[t('Paused until', 'En pausa hasta'), dateTime(account.pausa_hasta)]] as [
                string,
                React.ReactNode,
              ][])
            : []),
        ]}
      />
      <div className="stack">
        <Quota quota={account.cuota} />
        <p className="small faint">{account.aviso}</p>
      </div>
    </div>
  )
}

const TONE = { desconocido: 'good', bien: 'good', aviso: 'warn', critico: 'bad', lleno: 'bad' } as const

function Quota({ quota }: { quota: Account['cuota'] }) {
  const { usadas, limite, origen, nivel } = quota
  const sources = {
    api: t("read from the provider's API", 'leído de la API del proveedor'),
    admin: t('entered by an administrator', 'introducido por un administrador'),
    aprendida: t('learned from a refusal', 'aprendido de un rechazo'),
  }
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{t('Zones in the account', 'Zonas en la cuenta')}</span>
        {TONE[nivel] === 'good' ? null : <State state={nivel === 'lleno' ? 'llena' : 'casi_llena'} />}
      </div>
      <p className="meter-value">
        <b>{usadas === null ? '—' : number(usadas)}</b>{' '}
        <span>
          {limite === null ? t('limit unknown', 'límite desconocido') : `${t('of', 'de')} ${number(limite)}`}
        </span>
      </p>
      <Bar
        share={usadas === null || limite === null || limite === 0 ? null : usadas / limite}
        tone={TONE[nivel]}
      />
      {origen ? (
        <span className="sub">
          {t('Limit', 'Límite')}: {sources[origen]}
        </span>
      ) : null}
      {TONE[nivel] === 'good' ? null : (
        <Note
          tone="warn"
          title={t('New zones will soon find no room.', 'Pronto no habrá sitio para zonas nuevas.')}
        />
      )}
    </div>
  )
}

function Enter({ known, close }: { known: Account | null; close: () => void }) {
  const [tipo, setTipo] = useState(known?.tipo ?? 'cloudflare')
  const [credencial, setCredencial] = useState('')
  const [cuenta, setCuenta] = useState(known?.cuenta ?? '')
  const [url, setUrl] = useState(known?.url ?? '')
  const [limit, setLimit] = useState('')
  const body: Entered = {
    tipo: tipo as Entered['tipo'], // one of KINDS; the API refuses any other
    credencial,
    ...(cuenta ? { cuenta } : {}),
    ...(url ? { url } : {}),
    ...(limit ? { limite_zonas: Number(limit) } : {}),
  }
  return (
    <OpForm
      op="PUT /api/dns/proveedor"
      input={{ body }}
      submit={t('Check and save', 'Comprobar y guardar')}
      disabled={credencial === ''}
      cancel={close}
      done={() => {
        announce(t('The account works.', 'La cuenta funciona.'))
        close()
      }}
    >
      {(error) => (
        <>
          <Note tone="info" title={t('Give it only what it needs', 'Dele solo lo necesario')}>
            <p>
              {t(
                'The panel cannot verify the scope of the token: limit it at the provider to the zones and permissions needed. It is stored encrypted and never shown again.',
                'El panel no puede comprobar el alcance del token: limítelo en el proveedor a las zonas y permisos necesarios. Se guarda cifrado y no se vuelve a mostrar.',
              )}
            </p>
          </Note>
          <Choice
            label={t('Provider', 'Proveedor')}
            value={tipo}
            onChange={setTipo}
            options={KINDS}
            error={error('tipo')}
          />
          <Password
            label={t('API token of the provider', 'Token de API del proveedor')}
            autoComplete="new-password"
            value={credencial}
            onChange={setCredencial}
            error={error('credencial')}
          />
          <div className="pair">
            {tipo === 'powerdns' ? (
              <TextField
                mono
                label="URL"
                value={url}
                onChange={setUrl}
                error={error('url')}
                placeholder="https://dns.ejemplo.es"
              />
            ) : (
              <TextField
                mono
                label={t('Account (if asked for)', 'Cuenta (si se pide)')}
                value={cuenta}
                onChange={setCuenta}
                error={error('cuenta')}
              />
            )}
            <TextField
              label={t('Zone limit, where its API tells none', 'Límite de zonas, si su API no lo dice')}
              value={limit}
              onChange={setLimit}
              error={error('limite_zonas')}
            />
          </div>
        </>
      )}
    </OpForm>
  )
}
