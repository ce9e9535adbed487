import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ClipboardEvent, useMemo, useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Note } from '../../ui/state.tsx'
import { ChangeForm } from './change-form.tsx'
import { Conflict } from './conflict.tsx'
import { type Checked, checkDraft, type Draft, ttlOf, typeChoices, typeHint } from './record-check.ts'
import { findRrset, type Records, type Rrset } from './records-data.ts'

export type Saved = { nombre: string; tipo: string; before: Rrset | null; after: Rrset; etag: string | null }

type Props = {
  zona: string
  records: Records
  /** What is edited; without it a new record set is added, at `nombre` where that is given. */
  rrset: Rrset | null
  nombre?: string
  refresh: () => void
  saved: (change: Saved) => void
  close: () => void
}

const PUT = 'PUT /api/zonas/:zona/registros/:nombre/:tipo'

/** Adds or changes one record set: checked at every stroke, saved on the very state that was seen. */
export function RecordForm({ zona, records, rrset, nombre = '', refresh, saved, close }: Props) {
  const [base, setBase] = useState({ etag: records.etag, rrset })
  const [draft, setDraft] = useState<Draft>(() => draftOf(rrset, nombre))
  const [settled] = useDebouncedValue(draft, 250)
  const [tried, setTried] = useState(false)
  const shown = tried ? draft : settled
  const checked = useMemo(() => checkDraft(zona, shown, records.rows), [zona, shown, records.rows])
  const name = checked.nombre ?? (draft.nombre.trim() || '@')
  // A PUT replaces: a record set that is there must not be overwritten by "add".
  const there = base.rrset ? null : findRrset(records.rows, name, draft.tipo)
  const valores = draft.valores.filter((value) => value.trim() !== '')
  const input = {
    params: { zona, nombre: name, tipo: draft.tipo },
    body: { ttl: ttlOf(draft), valores },
  }
  const ready = () => {
    setTried(true)
    const now = checkDraft(zona, draft, records.rows)
    return Object.keys(now.errors).length === 0 && !there
  }
  const begin = (one: Rrset) => {
    setBase({ etag: records.etag, rrset: one })
    setDraft({ ...draftOf(one, nombre), valores: [...new Set([...one.valores, ...valores])] })
  }
  return (
    <ChangeForm
      op={PUT}
      input={input}
      ifMatch={base.etag}
      outdated={refresh}
      submit={rrset ? t('Save', 'Guardar') : t('Add', 'Añadir')}
      cancel={close}
      ready={ready}
      done={({ data, etag }) =>
        saved({ nombre: data.nombre, tipo: data.tipo, before: base.rrset, after: data, etag })
      }
    >
      {(error) => (
        <>
          <Owner
            zona={zona}
            draft={draft}
            set={setDraft}
            fixed={base.rrset !== null}
            checked={checked}
            error={error}
          />
          {there ? <AlreadyThere rrset={there} add={() => begin(there)} /> : null}
          <Values draft={draft} set={setDraft} checked={checked} error={error} tried={tried} />
          <Served checked={checked} typed={shown.valores} />
          {records.etag !== base.etag ? (
            <Conflict
              before={base.rrset}
              now={base.rrset ? findRrset(records.rows, base.rrset.nombre, base.rrset.tipo) : there}
              keep={(now) => setBase({ etag: records.etag, rrset: now })}
              drop={close}
            />
          ) : null}
        </>
      )}
    </ChangeForm>
  )
}

const draftOf = (rrset: Rrset | null, nombre: string): Draft =>
  rrset
    ? { nombre: rrset.nombre, tipo: rrset.tipo, ttl: String(rrset.ttl), valores: [...rrset.valores] }
    : { nombre, tipo: 'A', ttl: '3600', valores: [''] }

type Part = {
  draft: Draft
  set: (draft: Draft) => void
  checked: Checked
  error: (field: string) => string | undefined
}

function Owner({ zona, draft, set, fixed, checked, error }: Part & { zona: string; fixed: boolean }) {
  const typed = draft.nombre.trim()
  const whole = typed === '' || typed === '@' ? zona : typed.endsWith('.') ? typed : `${typed}.${zona}`
  return (
    <div className="rr-owner">
      <TextField
        mono
        label={t('Name', 'Nombre')}
        description={<code>{whole}</code>}
        placeholder="@"
        value={draft.nombre}
        disabled={fixed}
        error={checked.errors.nombre ?? error('nombre')}
        onChange={(nombre) => set({ ...draft, nombre })}
        autoFocus={!fixed}
      />
      <Choice
        label={t('Type', 'Tipo')}
        description={typeHint(draft.tipo).says}
        value={draft.tipo}
        disabled={fixed}
        error={checked.errors.tipo ?? error('tipo')}
        options={typeChoices().map((type) => ({ value: type, label: type }))}
        onChange={(tipo) => set({ ...draft, tipo })}
      />
      <TextField
        mono
        label="TTL"
        description={t('Seconds, or 1h, 1d', 'Segundos, o 1h, 1d')}
        value={draft.ttl}
        error={checked.errors.ttl ?? error('ttl')}
        onChange={(ttl) => set({ ...draft, ttl })}
      />
    </div>
  )
}

function Values({ draft, set, checked, error, tried }: Part & { tried: boolean }) {
  const { valores, tipo } = draft
  const put = (at: number, ...values: string[]) =>
    set({ ...draft, valores: valores.toSpliced(at, 1, ...values) })
  const paste = (at: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
    if (lines.length < 2) return
    event.preventDefault()
    put(at, ...[valores[at] ?? '', ...lines].filter((line) => line.trim() !== ''))
  }
  const none = tried && valores.every((value) => value.trim() === '')
  const missing = none ? t('At least one value is needed.', 'Hace falta al menos un valor.') : undefined
  const whole = checked.errors.valores ?? missing ?? (checked.served ? error('valores') : undefined)
  return (
    <fieldset className="rr-values">
      <legend className="field-label">{t('Values', 'Valores')}</legend>
      {valores.map((value, at) => {
        const problem = checked.errors[`valores.${at}`] ?? (at === 0 ? whole : undefined)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and its text changes at every stroke
          <div className="rr-value" key={at}>
            <TextInput
              className="input-mono"
              aria-label={`${t('Value', 'Valor')} ${at + 1}`}
              placeholder={typeHint(tipo).example}
              value={value}
              error={problem}
              onChange={(event) => put(at, event.currentTarget.value)}
              onPaste={paste(at)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            {problem && tipo === 'TXT' && !value.trimStart().startsWith('"') ? (
              <Button size="compact-sm" variant="default" onClick={() => put(at, quoted(value))}>
                {t('Put in quotes', 'Poner comillas')}
              </Button>
            ) : null}
            {valores.length > 1 ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`${t('Remove value', 'Quitar el valor')} ${at + 1}`}
                onClick={() => put(at)}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            ) : null}
          </div>
        )
      })}
      <button
        type="button"
        className="link-button"
        onClick={() => set({ ...draft, valores: [...valores, ''] })}
      >
        {t('Another value', 'Otro valor')}
      </button>
    </fieldset>
  )
}

const quoted = (value: string): string => `"${value.trim().replace(/["\\]/g, '\\$&')}"`

/** What the name servers will answer, where that is not what was typed. */
function Served({ checked, typed }: { checked: Checked; typed: string[] }) {
  if (!checked.served) return null
  const same = typed.map((value) => value.trim()).filter(Boolean)
  if (checked.served.every((value) => same.includes(value))) return null
  return (
    <div className="rr-served small">
      <span className="faint">{t('Will be answered as', 'Se responderá como')}</span>
      {checked.served.map((value) => (
        <code key={value}>{value}</code>
      ))}
    </div>
  )
}

function AlreadyThere({ rrset, add }: { rrset: Rrset; add: () => void }) {
  return (
    <Note
      tone="warn"
      title={t(`${rrset.tipo} of this name is there already`, `Este nombre ya tiene ${rrset.tipo}`)}
    >
      <ul className="rr-list-values">
        {rrset.valores.map((value) => (
          <li key={value}>
            <code>{value}</code>
          </li>
        ))}
      </ul>
      <p>
        <Button size="compact-sm" variant="default" onClick={add}>
          {t('Add to those', 'Añadir a esos')}
        </Button>
      </p>
    </Note>
  )
}
