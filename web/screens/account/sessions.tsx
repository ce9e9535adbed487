import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { dateTime, relative } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Glyph } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { deviceOf } from './device.ts'
import { texts } from './texts.ts'

type Session = OutputOf<'GET /api/yo/sesiones'>['datos'][number]

/** Where the account is signed in, and the way to end it there. */
export function Sessions() {
  const sessions = useRead('GET /api/yo/sesiones', {})
  const [ending, setEnding] = useState<Session | null>(null)
  return (
    <Card flush title={texts.openSessions} wire="GET /api/yo/sesiones">
      <Loaded of={sessions}>
        {({ datos }) => (
          <div className="table-box">
            <Table
              label={texts.openSessions}
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
  { head: texts.where, cell: (session) => <Where session={session} /> },
  {
    head: common.address,
    narrow: true,
    cell: ({ direccion }) => <code>{direccion}</code>,
  },
  { head: texts.signedIn, cell: ({ creada }) => dateTime(creada) },
  {
    head: texts.lastActive,
    cell: ({ renovada }) => (
      <time dateTime={renovada} title={dateTime(renovada)}>
        {relative(renovada)}
      </time>
    ),
  },
  { head: texts.ends, cell: ({ caduca }) => relative(caduca) },
  {
    head: common.actions,
    actions: true,
    cell: (session) =>
      session.actual || lookedAt ? null : (
        <SmallButton
          onClick={() => end(session)}
          aria-label={`${texts.endTheSession}: ${deviceOf(session.agente)}, ${session.direccion}`}
        >
          {texts.end}
        </SmallButton>
      ),
  },
]

function Where({ session: { agente, actual, suplantada_por } }: { session: Session }) {
  return (
    <>
      <span className="strong" title={agente}>
        {deviceOf(agente)}
      </span>{' '}
      {actual ? <span className="chip">{texts.thisOne}</span> : null}
      {suplantada_por ? (
        <span className="impersonated">
          <Glyph tone="warn" />
          {texts.openedBy} {suplantada_por}
        </span>
      ) : null}
    </>
  )
}

function EndSession({ session, close }: { session: Session | null; close: () => void }) {
  return (
    <Dialog title={texts.endASession} opened={session !== null} close={close}>
      {session ? (
        <OpForm
          op="DELETE /api/yo/sesiones/:id"
          input={{ params: { id: session.id } }}
          submit={texts.endIt}
          danger
          cancel={close}
          done={() => {
            announce(texts.theSessionHasEnded)
            close()
          }}
        >
          {() => (
            <p>
              <b>{deviceOf(session.agente)}</b> <code>{session.direccion}</code>: {texts.whatEndingDoes}
            </p>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}
