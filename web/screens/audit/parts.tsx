import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { fieldWords } from '../../text/field-names.ts'
import { refusalWords } from '../../text/outcomes.ts'
import { stateWords } from '../../text/states.ts'
import { operationWords } from '../../text/tasks.ts'
import { Glyph } from '../../ui/state.tsx'
import { texts } from './texts.ts'

export type AuditRow = ItemOf<'GET /api/auditoria'>

export type Change = NonNullable<AuditRow['cambios']>[number]

/** Of a field that may hold a secret it is only told that it changed. */
export const isHidden = ({ de, a }: Change): boolean => de === null && a === null

/** A value of the API as people read it; a state in the words that the screens have for it. */
export function valueWords(value: unknown, field: string): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return texts.nothing
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (field.endsWith('estado') && typeof value === 'string') return stateWords(value).label
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The changes on one line, for lists and spreadsheets. */
export const changeLine = (changes: Change[]): string =>
  changes
    .map((change) =>
      isHidden(change)
        ? fieldWords(change.campo)
        : `${fieldWords(change.campo)}: ${valueWords(change.de, change.campo)} → ${valueWords(change.a, change.campo)}`,
    )
    .join('; ')

/** Keys of rows, which tell nobody anything. */
const IS_KEY = /^[a-z]{3}_[0-9A-Za-z]{8,}$/

type About = Pick<AuditRow, 'cliente' | 'objeto' | 'detalle'>

/** What was acted on, by the name that people know it by; null where only a key is known. */
export function objectName({ objeto, detalle }: Pick<About, 'objeto' | 'detalle'>): string | null {
  const name = detalle?.nombre ?? detalle?.destino
  if (typeof name === 'string') return name
  return objeto === null || IS_KEY.test(objeto) ? null : objeto
}

/** What was done, and to what or whom. */
export function sentence(row: About & Pick<AuditRow, 'operacion' | 'resultado'>): string {
  const words = operationWords(row.operacion, row.resultado)
  const name = objectName(row) ?? row.cliente
  return name === null ? words : `${words}: ${name}`
}

export const FILTERS = ['cliente', 'actor', 'operacion', 'direccion', 'dia_desde', 'dia_hasta'] as const

export type Filters = Partial<Record<(typeof FILTERS)[number], string>>

/** Who did it: what kind of caller, and the admin behind a customer's session. */
export function Actor({ actor }: { actor: AuditRow['actor'] }) {
  return (
    <>
      {actor.tipo === 'anonimo' || actor.tipo === 'sistema' ? (
        kindName(actor.tipo)
      ) : (
        <bdi>{actor.nombre}</bdi>
      )}
      {actor.suplantado_por ? (
        <span className="impersonated">
          <Glyph tone="warn" />
          {texts.really} {actor.suplantado_por}
        </span>
      ) : actor.tipo === 'token' || actor.tipo === 'persona' ? (
        <span className="sub">{kindName(actor.tipo)}</span>
      ) : null}
    </>
  )
}

export function kindName(kind: AuditRow['actor']['tipo']): string {
  const names = {
    token: common.apiToken,
    persona: texts.person,
    sistema: texts.thePanelItself,
    anonimo: texts.notSignedIn,
  }
  return names[kind]
}

/** `hecho`; `pedido`, which somebody has to confirm yet; or the code under which it was refused. */
export function Outcome({ outcome }: { outcome: string }) {
  if (outcome === 'hecho') {
    return (
      <span className="state">
        <Glyph tone="good" />
        {texts.done}
      </span>
    )
  }
  if (outcome === 'pedido') {
    return (
      <span className="state tone-warn">
        <Glyph tone="warn" />
        {texts.askedFor}
      </span>
    )
  }
  const words = refusalWords(outcome)
  return (
    <>
      <span className="state tone-bad">
        <Glyph tone="bad" />
        {words ?? <code>{outcome}</code>}
      </span>
      {words ? (
        <span className="sub">
          <code>{outcome}</code>
        </span>
      ) : null}
    </>
  )
}
