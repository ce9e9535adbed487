import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../i18n/language.ts'
import { TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { announce } from '../ui/toast.tsx'
import type { ClientData } from './client.tsx'
import { Password } from './sign-in.tsx'

/** A client's names, its recovery address, its end. */
export function ClientSettings({ client, remove }: { client: ClientData; remove: () => void }) {
  return (
    <div className="halves">
      <Card title={t('Names', 'Nombres')}>
        <Names client={client} />
      </Card>
      <Card title={t('Recovery address', 'Correo de recuperación')}>
        <Email cliente={client.cliente} correo={client.correo} />
      </Card>
      <Card title={t('Delete the client', 'Eliminar el cliente')}>
        <p>
          {t(
            'Everything of it stops being served. You will be asked for its name.',
            'Deja de servirse todo lo suyo. Se le pedirá su nombre.',
          )}
        </p>
        <div className="form-foot">
          <Button color="red" variant="light" disabled={client.estado === 'eliminando'} onClick={remove}>
            {t('Delete…', 'Eliminar…')}
          </Button>
        </div>
      </Card>
    </div>
  )
}

function Names({ client }: { client: ClientData }) {
  const [nombre, setNombre] = useState(client.nombre ?? '')
  const [referencia, setReferencia] = useState(client.referencia ?? '')
  return (
    <OpForm
      op="PATCH /api/clientes/:cliente"
      input={{
        params: { cliente: client.cliente },
        body: { nombre: nombre || null, referencia: referencia || null },
      }}
      submit={t('Save', 'Guardar')}
      done={() => announce(t('Saved.', 'Guardado.'))}
    >
      {(error) => (
        <>
          <TextField
            label={t('Display name', 'Nombre visible')}
            value={nombre}
            onChange={setNombre}
            error={error('nombre')}
          />
          <TextField
            mono
            label={t('Reference', 'Referencia')}
            description={t(
              'By which a billing system knows it.',
              'Por la que lo conoce un sistema de facturación.',
            )}
            value={referencia}
            onChange={setReferencia}
            error={error('referencia')}
          />
        </>
      )}
    </OpForm>
  )
}

/** Changing the address by which a login can be recovered takes the caller's own password. */
export function Email({ cliente, correo: before }: { cliente: string; correo: string | null }) {
  const [correo, setCorreo] = useState(before ?? '')
  const [contrasena, setContrasena] = useState('')
  return (
    <OpForm
      op="PUT /api/clientes/:cliente/correo"
      input={{ params: { cliente }, body: { correo, contrasena } }}
      submit={t('Change', 'Cambiar')}
      disabled={correo === (before ?? '') || contrasena === ''}
      done={({ status }) => {
        setContrasena('')
        announce(
          status === 202
            ? t(
                `A link was sent to ${correo}. The change counts once it is confirmed there.`,
                `Se ha enviado un enlace a ${correo}. El cambio vale cuando se confirme allí.`,
              )
            : t('Changed; both addresses are told.', 'Cambiado; se avisa a las dos direcciones.'),
        )
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('E-mail', 'Correo')}
            type="email"
            value={correo}
            onChange={setCorreo}
            error={error('correo')}
          />
          <Password
            label={t('Your own password', 'Su propia contraseña')}
            autoComplete="current-password"
            value={contrasena}
            onChange={setContrasena}
            error={error('contrasena')}
          />
        </>
      )}
    </OpForm>
  )
}
