import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { usePages } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { session } from '../api/session.ts'
import { number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, ClientField, TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Nothing } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { PagedTable } from '../ui/table.tsx'
import { clientPath, zonePath } from './places.ts'

type Zone = ItemOf<'GET /api/zonas'>

/** Zones by cursor: all of them, or those of one client. */
export default function ZoneTable({ cliente, buscar }: { cliente?: string; buscar?: string }) {
  const [open, setOpen] = useState(false)
  const now = session.use()
  const customer = now.kind === 'in' && now.person.rol === 'client'
  const zones = usePages('GET /api/zonas', {
    query: { ...(cliente ? { cliente } : {}), ...(buscar ? { buscar } : {}) },
  })
  const owner = {
    head: t('Client', 'Cliente'),
    cell: ({ cliente }: Zone) => (
      <Link className="mono" href={clientPath(cliente)}>
        {cliente}
      </Link>
    ),
  }
  return (
    <>
      {cliente ? (
        <div className="table-top">
          <Button size="xs" leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
            {t('New zone', 'Zona nueva')}
          </Button>
        </div>
      ) : null}
      <PagedTable
        label={t('DNS zones', 'Zonas DNS')}
        pages={zones}
        rowKey={({ zona }) => zona}
        columns={[
          {
            head: t('Zone', 'Zona'),
            cell: ({ zona }) => (
              <Link className="name mono" href={zonePath(zona)}>
                {zona}
              </Link>
            ),
          },
          ...(cliente || customer ? [] : [owner]),
          { head: t('State', 'Estado'), cell: (zone) => <Published zone={zone} /> },
          {
            head: t('Records', 'Registros'),
            end: true,
            narrow: true,
            cell: ({ registros }) => number(registros),
          },
          { head: t('Serial', 'Serie'), narrow: true, cell: ({ serie }) => <code>{serie}</code> },
          { head: 'DNSSEC', cell: ({ dnssec }) => (dnssec.activo ? t('signed', 'firmada') : <Nothing />) },
          {
            head: t('Mirror', 'Espejo'),
            cell: ({ espejo }) => (espejo ? <State state={espejo.estado} /> : <Nothing />),
          },
        ]}
        empty={<Empty icon="zones" title={t('No zones.', 'No hay zonas.')} />}
      />
      {cliente ? <NewZone cliente={cliente} opened={open} close={() => setOpen(false)} /> : null}
    </>
  )
}

/** Whether the served zone is the one that stands here. */
export function Published({ zone }: { zone: Zone }) {
  if (zone.error) return <State state="error" label={t('Not published', 'Sin publicar')} />
  return zone.publicada ? (
    <State state="activo" label={t('Published', 'Publicada')} />
  ) : (
    <State state="pendiente" label={t('Publishing', 'Publicándose')} />
  )
}

export function NewZone({
  cliente,
  opened,
  close,
}: {
  cliente?: string
  opened: boolean
  close: () => void
}) {
  return (
    <Dialog title={t('New zone', 'Zona nueva')} opened={opened} close={close}>
      <Fields fixed={cliente ?? ''} close={close} />
    </Dialog>
  )
}

function Fields({ fixed, close }: { fixed: string; close: () => void }) {
  const [cliente, setCliente] = useState(fixed)
  const [zona, setZona] = useState('')
  const [plantilla, setPlantilla] = useState<'sitio' | 'vacia'>('sitio')
  const [forzar, setForzar] = useState(false)
  const [, navigate] = useLocation()
  const now = session.use()
  const admin = now.kind === 'in' && now.person.rol === 'admin'
  return (
    <OpForm
      op="POST /api/zonas"
      input={{ body: { cliente, zona, plantilla, ...(forzar ? { forzar } : {}) } }}
      submit={t('Create', 'Crear')}
      cancel={close}
      done={({ data }) => {
        close()
        navigate(zonePath(data.zona))
      }}
    >
      {(error) => (
        <>
          {fixed ? null : (
            <ClientField
              label={t('Client', 'Cliente')}
              value={cliente}
              onChange={setCliente}
              error={error('cliente')}
            />
          )}
          <TextField
            mono
            label={t('Zone', 'Zona')}
            value={zona}
            onChange={setZona}
            error={error('zona')}
            placeholder="ejemplo.es"
            autoFocus
          />
          <Choice
            label={t('Begin with', 'Empezar con')}
            value={plantilla}
            onChange={(value) => setPlantilla(value === 'vacia' ? 'vacia' : 'sitio')}
            options={[
              {
                value: 'sitio',
                label: t('This server at the apex and www', 'Este servidor en la raíz y en www'),
              },
              { value: 'vacia', label: t('Only the name servers', 'Solo los servidores de nombres') },
            ]}
          />
          {admin ? (
            <Checkbox
              checked={forzar}
              onChange={(event) => setForzar(event.currentTarget.checked)}
              label={t('Override the rules on neighbouring names', 'Saltar las reglas sobre nombres vecinos')}
            />
          ) : null}
        </>
      )}
    </OpForm>
  )
}
