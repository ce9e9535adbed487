import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ClipboardEvent, useMemo, useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { Note } from '../../ui/state.tsx'
import { ChangeForm } from './change-form.tsx'
import { Conflict } from './conflict.tsx'
import { type Checked, checkDraft, type Draft, ttlOf, typeChoices, typeHint } from './record-check.ts'
import { draftOf, meant, pasteInto, type Said } from './record-draft.ts'
import { Values } from './record-values.tsx'
import { findRrset, type Records, type Rrset } from './records-data.ts'
import { readOwner } from './targets.ts'

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
  const [draft, setDraft] = useState<Draft>(() => draftOf(zona, rrset, nombre))
  const [said, setSaid] = useState<Said>({})
  const [pasted, setPasted] = useState<'line' | 'mixed' | null>(null)
  const [settled] = useDebouncedValue(draft, 250)
  const [tried, setTried] = useState(false)
  const fixed = base.rrset !== null
  const about = { rows: records.rows, fixed }
  const now = meant(zona, draft, said, about)
  const shown = tried ? draft : settled
  const checked = useMemo(
    () => checkDraft(zona, meant(zona, shown, said, { rows: records.rows, fixed }).draft, records.rows),
    [zona, shown, said, fixed, records.rows],
  )
  const name = checked.nombre ?? (now.draft.nombre.trim() || '@')
  // A PUT replaces: a record set that is there must not be overwritten by "add".
  const there = base.rrset ? null : findRrset(records.rows, name, draft.tipo)
  const valores = now.draft.valores.filter((value) => value.trim() !== '')
  const input = {
    params: { zona, nombre: name, tipo: draft.tipo },
    body: { ttl: ttlOf(draft), valores },
  }
  const ready = () => {
    setTried(true)
    const { errors } = checkDraft(zona, now.draft, records.rows)
    return Object.keys(errors).length === 0 && !there && !now.undecided
  }
  const begin = (one: Rrset) => {
    setBase({ etag: records.etag, rrset: one })
    setDraft({ ...draftOf(zona, one, nombre), valores: [...new Set([...one.valores, ...valores])] })
  }
  const paste = (at: number | null) => (event: ClipboardEvent<HTMLInputElement>) => {
    const found = pasteInto(zona, { draft, fixed }, at, event.clipboardData.getData('text'))
    if (!found) return
    event.preventDefault()
    if ('mixed' in found) return setPasted('mixed')
    setPasted(found.draft.valores.length > draft.valores.length && at !== null ? null : 'line')
    setDraft(found.draft)
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
            fixed={fixed}
            checked={checked}
            error={error}
            paste={paste(null)}
          />
          {pasted ? <PastedLine kind={pasted} /> : null}
          {there ? <AlreadyThere rrset={there} add={() => begin(there)} /> : null}
          <Values
            zona={zona}
            tipo={draft.tipo}
            valores={draft.valores}
            put={(valores) => setDraft({ ...draft, valores })}
            paste={paste}
            checked={checked}
            error={error}
            tried={tried}
            readings={now.readings}
            said={said}
            say={(value, meaning) => setSaid({ ...said, [value]: meaning })}
          />
          {now.undecided ? null : <Published zona={zona} checked={checked} draft={shown} />}
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

type Part = {
  draft: Draft
  set: (draft: Draft) => void
  checked: Checked
  error: (field: string) => string | undefined
}

type OwnerProps = Part & {
  zona: string
  fixed: boolean
  paste: (event: ClipboardEvent<HTMLInputElement>) => void
}

function Owner({ zona, draft, set, fixed, checked, error, paste }: OwnerProps) {
  const whole = wholeName(zona, fixed ? draft.nombre : readOwner(zona, draft.nombre))
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
        onPaste={paste}
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

/** The lines as the name servers will publish them. */
function Published({ zona, checked, draft }: { zona: string; checked: Checked; draft: Draft }) {
  if (!checked.served || checked.nombre === null) return null
  const owner = `${wholeName(zona, checked.nombre)} ${ttlOf(draft)} ${draft.tipo}`
  return (
    <div className="rr-served small">
      <span className="faint">{t('Will be published', 'Se publicará')}</span>
      {checked.served.map((value) => (
        <code key={value}>
          {owner} {value}
        </code>
      ))}
    </div>
  )
}

/** A relative name in full, with its final dot. */
const wholeName = (zona: string, name: string): string =>
  name === '@' ? `${zona}.` : name.endsWith('.') ? name : `${name}.${zona}.`

function PastedLine({ kind }: { kind: 'line' | 'mixed' }) {
  return (
    <Note
      tone={kind === 'line' ? 'info' : 'warn'}
      title={
        kind === 'line'
          ? t('Read as a line of a zone file.', 'Leído como una línea de un archivo de zona.')
          : t(
              'The pasted lines are of several record sets: import them as a file.',
              'Las líneas pegadas son de varios conjuntos de registros: impórtelas como archivo.',
            )
      }
    />
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
