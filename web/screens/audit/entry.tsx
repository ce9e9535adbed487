import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { common } from '../../text/common.ts'
import { fieldWords } from '../../text/field-names.ts'
import { exactTime, relative } from '../../text/format.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import {
  type AuditRow,
  type Change,
  type Filters,
  isHidden,
  kindName,
  Outcome,
  sentence,
  valueWords,
} from './parts.tsx'
import { texts } from './texts.ts'

type Props = { row: AuditRow | null; close: () => void; only: (filters: Filters) => void }

/** One row of the trail with all that it tells, and the way to what belongs with it. */
export function Entry({ row, close, only }: Props) {
  return (
    <SideSheet title={texts.auditEntry} opened={row !== null} close={close}>
      {row ? (
        <div className="form">
          {row.actor.suplantado_por ? (
            <Note tone="warn" title={texts.doneInPlaceOf(row.actor.suplantado_por)} />
          ) : null}
          <Facts items={facts(row)} />
          {row.cambios ? <Changes changes={row.cambios} /> : null}
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
    [texts.when, `${exactTime(row.cuando)} · ${relative(row.cuando)}`],
    [
      common.operation,
      <span key="operation">
        {sentence(row)} <code>{row.operacion}</code>
      </span>,
    ],
    [texts.result, <Outcome key="outcome" outcome={row.resultado} />],
    [texts.who, actor.tipo === 'sistema' || actor.tipo === 'anonimo' ? null : actor.nombre],
    [common.kind, kindName(actor.tipo)],
    [texts.address, row.direccion ? <Id key="address" value={row.direccion} /> : null],
    [texts.actorId, actor.id ? <Id key="actor" value={actor.id} /> : null],
    [common.client, <ClientLink key="client" client={row.cliente} />],
    [common.object, row.objeto ? <Id key="object" value={row.objeto} /> : null],
    [common.request, row.peticion ? <Id key="request" value={row.peticion} /> : null],
    [texts.number, String(row.id)],
  ]
}

function Id({ value }: { value: string }) {
  return (
    <span className="copied-id">
      <code>{value}</code>
      <CopyButton value={value} label={`${common.copy} ${value}`} />
    </span>
  )
}

/** What became of each field; of one that may hold a secret only that it changed. */
function Changes({ changes }: { changes: Change[] }) {
  return (
    <div>
      <h3>{texts.whatChanged}</h3>
      <dl className="audit-changes">
        {changes.map((change) => (
          <div key={change.campo}>
            <dt>
              {fieldWords(change.campo)} <code>{change.campo}</code>
            </dt>
            {isHidden(change) ? (
              <dd className="faint">{texts.valueNotShown}</dd>
            ) : (
              <dd>
                <del>{valueWords(change.de, change.campo)}</del> <span aria-hidden="true">→</span>{' '}
                <ins>{valueWords(change.a, change.campo)}</ins>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

function Detail({ detail }: { detail: Record<string, unknown> }) {
  return (
    <div>
      <h3>{texts.detail}</h3>
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
    [texts.thisActor, { actor: row.actor.nombre }],
    [texts.thisOperation, { operacion: row.operacion }],
    ...(row.direccion ? [[texts.thisAddress, { direccion: row.direccion }] as [string, Filters]] : []),
    ...(row.cliente ? [[texts.thisClient, { cliente: row.cliente }] as [string, Filters]] : []),
  ]
  return (
    <div>
      <h3>{texts.showOnly}</h3>
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
