import { useState } from 'react'
import { useLocation } from 'wouter'
import { queries } from '../api/hooks.ts'
import { impersonate } from '../api/session.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Note } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import type { ClientData } from './client.tsx'

type Props = { client: ClientData; opened: boolean; close: () => void }

export function SuspendDialog({ client, opened, close }: Props) {
  const [motivo, setMotivo] = useState('')
  return (
    <Dialog title={`${t('Suspend', 'Suspender')} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/suspender"
        input={{ params: { cliente: client.cliente }, body: motivo ? { motivo } : {} }}
        submit={t('Suspend', 'Suspender')}
        danger
        cancel={close}
        done={() => {
          announce(t('Suspended.', 'Suspendido.'))
          close()
        }}
      >
        {(error) => (
          <>
            <p>
              {t(
                'Every host name of the client answers 503 and PHP stops. The DNS stays, certificates go on renewing, and activating brings back exactly what was there.',
                'Todos sus nombres responden 503 y PHP se detiene. El DNS sigue, los certificados se renuevan, y al activar vuelve exactamente lo que había.',
              )}
            </p>
            <TextField
              label={t('Reason', 'Motivo')}
              description={t('The customer sees it after signing in.', 'El cliente lo ve al entrar.')}
              value={motivo}
              onChange={setMotivo}
              error={error('motivo')}
              max={200}
              autoFocus
            />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}

export function ActivateDialog({ client, opened, close }: Props) {
  return (
    <Dialog title={`${t('Activate', 'Activar')} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/activar"
        input={{ params: { cliente: client.cliente } }}
        submit={t('Activate', 'Activar')}
        cancel={close}
        done={() => {
          announce(t('Active again.', 'Activo de nuevo.'))
          close()
        }}
      >
        {() => (
          <p>
            {t('Its sites are served again as they were.', 'Sus sitios se sirven de nuevo como estaban.')}
          </p>
        )}
      </OpForm>
    </Dialog>
  )
}

export function ImpersonateDialog({ client, opened, close }: Props) {
  const [motivo, setMotivo] = useState('')
  const [, navigate] = useLocation()
  return (
    <Dialog title={`${t('See as', 'Ver como')} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="POST /api/clientes/:cliente/suplantar"
        input={{ params: { cliente: client.cliente }, body: { motivo } }}
        submit={t('Open the session', 'Abrir la sesión')}
        disabled={motivo.trim() === ''}
        cancel={close}
        done={({ data }) => {
          close()
          queries.clear()
          impersonate(data)
          navigate('/panel')
        }}
      >
        {(error) => (
          <>
            <p>
              {t(
                'Fifteen minutes as the customer. Everything is marked in the audit trail with your name, and credentials cannot be touched.',
                'Quince minutos como el cliente. Todo queda en la auditoría con su nombre, y no se pueden tocar credenciales.',
              )}
            </p>
            <TextField
              label={t('Reason', 'Motivo')}
              value={motivo}
              onChange={setMotivo}
              error={error('motivo')}
              max={200}
              autoFocus
            />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}

/** Deleting asks for the name, since it cannot be taken back here. */
export function DeleteDialog({ client, opened, close }: Props) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <Dialog title={`${t('Delete', 'Eliminar')} ${client.cliente}`} opened={opened} close={close}>
      <OpForm
        op="DELETE /api/clientes/:cliente"
        input={{ params: { cliente: client.cliente } }}
        submit={t('Delete for good', 'Eliminar definitivamente')}
        danger
        disabled={typed !== client.cliente}
        cancel={close}
        done={({ data }) => {
          const gone = 'eliminado' in data
          announce(
            gone
              ? t('Deleted: nothing of it is served.', 'Eliminado: no se sirve nada suyo.')
              : t('Being deleted.', 'Eliminándose.'),
          )
          close()
          navigate('/panel/clientes')
        }}
      >
        {() => (
          <>
            <Note tone="bad" title={t('This ends the client', 'Esto acaba con el cliente')}>
              <p>
                {t(
                  'Sites, zones, certificates, mirrors and the login go. The files move to the bin on the node and are purged after some days.',
                  'Se van sitios, zonas, certificados, espejos y acceso. Los archivos pasan a la papelera del nodo y se purgan en unos días.',
                )}
              </p>
            </Note>
            <TextField
              mono
              label={`${t('Type', 'Escriba')} ${client.cliente}`}
              value={typed}
              onChange={setTyped}
              autoFocus
            />
          </>
        )}
      </OpForm>
    </Dialog>
  )
}
