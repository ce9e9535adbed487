import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { dateTime, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { Glyph } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { deviceOf } from './device.ts'

type Session = OutputOf<'GET /api/yo/sesiones'>['datos'][number]

/** Where the account is signed in, and the way to end it there. */
export function Sessions() {
  const sessions = useRead('GET /api/yo/sesiones', {})
  const [ending, setEnding] = useState<Session | null>(null)
  return (
    <Card flush title={t('Open sessions', 'Sesiones abiertas')} wire="GET /api/yo/sesiones">
      <Loaded of={sessions}>
        {({ datos }) => (
          <div className="table-box">
            <Table
              label={t('Open sessions', 'Sesiones abiertas')}
              columns={columns(
                datos.some(({ actual, suplantada_por }) => actual && suplantada_por),
                setEnding,
              )}
              rows={datos}
              rowKey={({ id }) => id}
            />
          </div>
        )}
      </Loaded>
      <EndSession session={ending} close={() => setEnding(null)} />
    </Card>
  )
}

const columns = (lookedAt: boolean, end: (session: Session) => void): Column<Session>[] => [
  { head: t('Where', 'Dónde'), cell: (session) => <Where session={session} /> },
  {
    head: t('Address', 'Dirección'),
    narrow: true,
    cell: ({ direccion }) => <code>{direccion}</code>,
  },
  { head: t('Signed in', 'Entró'), cell: ({ creada }) => dateTime(creada) },
  {
    head: t('Last active', 'Última actividad'),
    cell: ({ renovada }) => (
      <time dateTime={renovada} title={dateTime(renovada)}>
        {relative(renovada)}
      </time>
    ),
  },
  { head: t('Ends', 'Termina'), cell: ({ caduca }) => relative(caduca) },
  {
    head: t('Actions', 'Acciones'),
    actions: true,
    cell: (session) =>
      session.actual || lookedAt ? null : (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => end(session)}
          aria-label={`${t('End the session', 'Terminar la sesión')}: ${deviceOf(session.agente)}, ${session.direccion}`}
        >
          {t('End', 'Terminar')}
        </Button>
      ),
  },
]

function Where({ session: { agente, actual, suplantada_por } }: { session: Session }) {
  return (
    <>
      <span className="strong" title={agente}>
        {deviceOf(agente)}
      </span>{' '}
      {actual ? <span className="chip">{t('this one', 'esta')}</span> : null}
      {suplantada_por ? (
        <span className="impersonated">
          <Glyph tone="warn" />
          {t('opened by', 'abierta por')} {suplantada_por}
        </span>
      ) : null}
    </>
  )
}

function EndSession({ session, close }: { session: Session | null; close: () => void }) {
  return (
    <Dialog title={t('End a session', 'Terminar una sesión')} opened={session !== null} close={close}>
      {session ? (
        <OpForm
          op="DELETE /api/yo/sesiones/:id"
          input={{ params: { id: session.id } }}
          submit={t('End it', 'Terminarla')}
          danger
          cancel={close}
          done={() => {
            announce(t('The session has ended', 'La sesión ha terminado'))
            close()
          }}
        >
          {() => (
            <p>
              <b>{deviceOf(session.agente)}</b> <code>{session.direccion}</code>:{' '}
              {t(
                'whoever uses it has to sign in again. If it was not you, change your password too.',
                'quien la use tendrá que entrar de nuevo. Si no era usted, cambie también la contraseña.',
              )}
            </p>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}
