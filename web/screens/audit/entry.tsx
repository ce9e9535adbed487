import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { exactTime, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { operationWords } from '../../i18n/tasks.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { ClientLink } from './client-link.tsx'
import { type AuditRow, type Filters, kindName, Outcome } from './list.tsx'

type Props = { row: AuditRow | null; close: () => void; only: (filters: Filters) => void }

/** One row of the trail with all that it tells, and the way to what belongs with it. */
export function Entry({ row, close, only }: Props) {
  return (
    <SideSheet title={t('Audit entry', 'Registro de auditoría')} opened={row !== null} close={close}>
      {row ? (
        <div className="form">
          {row.actor.suplantado_por ? (
            <Note
              tone="warn"
              title={t(
                `Done by ${row.actor.suplantado_por} in the customer's place.`,
                `Hecho por ${row.actor.suplantado_por} en lugar del cliente.`,
              )}
            />
          ) : null}
          <Facts items={facts(row)} />
          {row.detalle && Object.keys(row.detalle).length > 0 ? <Detail detail={row.detalle} /> : null}
          <Same row={row} only={only} />
        </div>
      ) : null}
    </SideSheet>
  )
}

function facts(row: AuditRow): [ReactNode, ReactNode][] {
  const { actor } = row
  return [
    [t('When', 'Cuándo'), `${exactTime(row.cuando)} · ${relative(row.cuando)}`],
    [
      t('Operation', 'Operación'),
      <span key="operation">
        {operationWords(row.operacion)} <code>{row.operacion}</code>
      </span>,
    ],
    [t('Result', 'Resultado'), <Outcome key="outcome" outcome={row.resultado} />],
    [t('Who', 'Quién'), actor.tipo === 'sistema' || actor.tipo === 'anonimo' ? null : actor.nombre],
    [t('Kind', 'Tipo'), kindName(actor.tipo)],
    [t('Actor id', 'Id del actor'), actor.id ? <Id key="actor" value={actor.id} /> : null],
    [t('Client', 'Cliente'), <ClientLink key="client" client={row.cliente} />],
    [t('Object', 'Objeto'), row.objeto ? <Id key="object" value={row.objeto} /> : null],
    [t('Request', 'Petición'), row.peticion ? <Id key="request" value={row.peticion} /> : null],
    [t('Number', 'Número'), String(row.id)],
  ]
}

function Id({ value }: { value: string }) {
  return (
    <span className="copied-id">
      <code>{value}</code>
      <CopyButton value={value} label={`${t('Copy', 'Copiar')} ${value}`} />
    </span>
  )
}

function Detail({ detail }: { detail: Record<string, unknown> }) {
  return (
    <div>
      <h3>{t('Detail', 'Detalle')}</h3>
      <Facts
        items={Object.entries(detail).map(([name, value]) => [
          <code key={name}>{name}</code>,
          <code key="value">{typeof value === 'string' ? value : JSON.stringify(value)}</code>,
        ])}
      />
    </div>
  )
}

/** Filters from what is looked at. */
function Same({ row, only }: { row: AuditRow; only: (filters: Filters) => void }) {
  const ways: [string, Filters][] = [
    [t('This actor', 'Este actor'), { actor: row.actor.nombre }],
    [t('This operation', 'Esta operación'), { operacion: row.operacion }],
    ...(row.cliente
      ? [[t('This client', 'Este cliente'), { cliente: row.cliente }] as [string, Filters]]
      : []),
  ]
  return (
    <div>
      <h3>{t('Show only', 'Mostrar solo')}</h3>
      <div className="actions">
        {ways.map(([label, filters]) => (
          <Button key={label} size="xs" variant="default" onClick={() => only(filters)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
