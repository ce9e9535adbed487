import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../api/hooks.ts'
import type { ItemOf, OutputOf } from '../api/operations.ts'
import { dateTime, day, daysUntil, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { CopyLine } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SearchFilter, TextField, useFilter } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Nothing, PageHead } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'

type Token = ItemOf<'GET /api/tokens'>
type NewToken = OutputOf<'POST /api/tokens'>

/** Panel → API tokens (specification section 5.1). */
export default function Tokens() {
  const [asked, setAsked] = useFilter('nuevo')
  const [open, setOpen] = useState(() => asked !== '' || location.search.includes('nuevo'))
  const [made, setMade] = useState<NewToken | null>(null)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const [buscar] = useFilter('buscar')
  const tokens = usePages('GET /api/tokens', { query: buscar ? { buscar } : {} })
  const close = () => {
    setOpen(false)
    setMade(null)
    setAsked('')
  }
  return (
    <>
      <PageHead
        title={t('API tokens', 'Tokens de API')}
        wire="GET /api/tokens"
        lead={t(
          'A token does what an administrator can do, but never touches credentials. Its value is shown once.',
          'Un token puede lo que un administrador, pero nunca toca credenciales. Su valor se muestra una vez.',
        )}
      >
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
          {t('New token', 'Token nuevo')}
        </Button>
      </PageHead>
      <div className="filters">
        <SearchFilter name="buscar" label={t('Name begins with', 'El nombre empieza por')} />
      </div>
      <PagedTable
        label={t('API tokens', 'Tokens de API')}
        pages={tokens}
        rowKey={({ id }) => id}
        rowClass={({ estado }) => (estado === 'valido' ? undefined : 'dead')}
        columns={[
          {
            head: t('Name', 'Nombre'),
            cell: ({ nombre, pista }) => (
              <>
                <span className="strong">{nombre}</span>
                <span className="sub mono">{pista}…</span>
              </>
            ),
          },
          { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} /> },
          { head: t('Expires', 'Caduca'), cell: (token) => <Expiry token={token} /> },
          { head: t('Last use', 'Último uso'), cell: ({ ultimo_uso }) => <LastUse use={ultimo_uso} /> },
          {
            head: t('Created', 'Creado'),
            cell: ({ creado, creador }) => (
              <>
                {dateTime(creado)}
                <span className="sub">{creador}</span>
              </>
            ),
          },
          {
            head: t('Actions', 'Acciones'),
            actions: true,
            cell: (token) =>
              token.estado === 'valido' ? (
                <Button size="compact-sm" variant="default" onClick={() => setRevoking(token)}>
                  {t('Revoke', 'Revocar')}
                </Button>
              ) : null,
          },
        ]}
        empty={
          <Empty icon="token" title={t('No tokens.', 'No hay tokens.')}>
            <p>
              {t(
                'A billing system or a script needs one to call the API.',
                'Un sistema de facturación o un script necesita uno para llamar a la API.',
              )}
            </p>
          </Empty>
        }
      />
      <Dialog title={t('New API token', 'Token de API nuevo')} opened={open} close={close}>
        {made ? <Value token={made} close={close} /> : <NewTokenForm done={setMade} close={close} />}
      </Dialog>
      <Dialog
        title={t('Revoke the token?', '¿Revocar el token?')}
        opened={revoking !== null}
        close={() => setRevoking(null)}
      >
        {revoking ? (
          <OpForm
            op="DELETE /api/tokens/:id"
            input={{ params: { id: revoking.id } }}
            submit={t('Revoke', 'Revocar')}
            danger
            cancel={() => setRevoking(null)}
            done={() => {
              announce(t('The token is revoked.', 'El token está revocado.'))
              setRevoking(null)
            }}
          >
            {() => (
              <p>
                <b>{revoking.nombre}</b> <code>{revoking.pista}…</code>{' '}
                {t(
                  'stops working at its next request. A revoked token does not come back.',
                  'deja de funcionar en su próxima petición. Un token revocado no vuelve.',
                )}
              </p>
            )}
          </OpForm>
        ) : null}
      </Dialog>
    </>
  )
}

function Expiry({ token }: { token: Token }) {
  const days = daysUntil(`${token.caduca}T23:59:59Z`)
  const soon = token.estado === 'valido' && days < 30
  return (
    <>
      {day(token.caduca)}
      {soon ? <span className="sub warn">{relative(`${token.caduca}T23:59:59Z`)}</span> : null}
    </>
  )
}

function LastUse({ use }: { use: Token['ultimo_uso'] }) {
  if (!use) return <span className="faint">{t('never', 'nunca')}</span>
  return (
    <>
      <span title={dateTime(use.cuando)}>{relative(use.cuando)}</span>
      <span className="sub mono">{use.desde || <Nothing />}</span>
    </>
  )
}

/** The day that a date is offered at: `caduca` is a UTC day, at most the same date next year. */
function dayAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

function NewTokenForm({ done, close }: { done: (token: NewToken) => void; close: () => void }) {
  const [nombre, setNombre] = useState('')
  const [caduca, setCaduca] = useState(dayAhead(90))
  return (
    <OpForm
      op="POST /api/tokens"
      input={{ body: { nombre, caduca } }}
      submit={t('Create', 'Crear')}
      done={({ data }) => done(data)}
      cancel={close}
    >
      {(error) => (
        <>
          <TextField
            label={t('Name', 'Nombre')}
            description={t('What it is for: it is how you will know it.', 'Para qué es: así lo reconocerá.')}
            value={nombre}
            onChange={setNombre}
            error={error('nombre')}
            autoFocus
          />
          <TextField
            label={t('Expires', 'Caduca')}
            description={t(
              'Works through that day (UTC); at most one year ahead.',
              'Vale hasta el final de ese día (UTC); como máximo un año.',
            )}
            type="date"
            value={caduca}
            onChange={setCaduca}
            error={error('caduca')}
          />
          <div className="chips">
            {[30, 90, 180, 364].map((days) => (
              <button
                key={days}
                type="button"
                className="chip chip-button"
                onClick={() => setCaduca(dayAhead(days))}
              >
                {days} {t('days', 'días')}
              </button>
            ))}
          </div>
        </>
      )}
    </OpForm>
  )
}

/** The value, this once. */
function Value({ token, close }: { token: NewToken; close: () => void }) {
  return (
    <div className="form">
      <Note tone="warn" title={t('Copy the value now', 'Copie el valor ahora')}>
        <p>
          {t(
            'It is shown this once; the panel keeps only a hash. A lost token is revoked and replaced.',
            'Se muestra solo esta vez; el panel guarda solo un hash. Un token perdido se revoca y se sustituye.',
          )}
        </p>
      </Note>
      <CopyLine value={token.token} label={t('Copy the token', 'Copiar el token')} />
      <p className="faint">
        {token.nombre} · {t('until', 'hasta')} {day(token.caduca)}
      </p>
      <div className="form-foot">
        <Button onClick={close}>{t('I have copied it', 'Ya lo he copiado')}</Button>
      </div>
    </div>
  )
}
