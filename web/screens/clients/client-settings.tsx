import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { MoveCard } from '../moves/card.tsx'
import type { ClientData } from './data.ts'
import { Email } from './email-form.tsx'
import { texts } from './texts.ts'

/** A client's names, its recovery address, its end. */
export function ClientSettings({ client, remove }: { client: ClientData; remove: () => void }) {
  return (
    <div className="halves">
      <Card title={common.names}>
        <Names client={client} />
      </Card>
      <Card title={texts.recoveryAddress}>
        <Email cliente={client.cliente} correo={client.correo} />
      </Card>
      <MoveCard client={client} />
      <Card title={texts.deleteTheClient}>
        <p>{texts.deletingHint}</p>
        <div className="form-foot">
          <Button color="red" variant="light" disabled={client.estado === 'eliminando'} onClick={remove}>
            {texts.deleteAsks}
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
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <TextField label={texts.displayName} value={nombre} onChange={setNombre} error={error('nombre')} />
          <TextField
            mono
            label={texts.reference}
            description={texts.referenceHint}
            value={referencia}
            onChange={setReferencia}
            error={error('referencia')}
          />
        </>
      )}
    </OpForm>
  )
}
