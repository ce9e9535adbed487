import { useDebouncedValue } from '@mantine/hooks'
import { type ClipboardEvent, useMemo, useState } from 'react'
import { common } from '../../../text/common.ts'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { Note } from '../../../ui/state.tsx'
import { ChangeForm } from './change-form.tsx'
import { Conflict } from './conflict.tsx'
import { type Checked, checkDraft, type Draft, joined, typeChoices } from './record-check.ts'
import { addedTo, draftOf, meant, ofType, pasteInto, type Said, type Typed } from './record-draft.ts'
import { Values } from './record-values.tsx'
import { findRrset, type Records, type Rrset } from './records-data.ts'
import { ValueList } from './table.tsx'
import { type Meaning, readOwner } from './targets.ts'
import { texts } from './texts.ts'

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
export default function RecordForm({ zona, records, rrset, nombre = '', refresh, saved, close }: Props) {
  const [base, setBase] = useState({ etag: records.etag, rrset })
  const fixed = base.rrset !== null
  const reading = useReading({ zona, rows: records.rows, fixed }, () => draftOf(zona, rrset, nombre))
  const { draft, setDraft, now } = reading
  const { pasted, paste } = usePasting({ zona, draft, fixed }, setDraft)
  const name = reading.checked.nombre ?? (now.draft.nombre.trim() || '@')
  const there = base.rrset ? null : findRrset(records.rows, name, draft.tipo)
  const { valores, ttl, checked } = joined(
    zona,
    { there, typed: now.draft, checked: reading.checked },
    records.rows,
  )
  const input = { params: { zona, nombre: name, tipo: draft.tipo }, body: { ttl, valores } }
  const begun = valores.length > (there?.valores.length ?? 0)
  const begin = (one: Rrset) => {
    setBase({ etag: records.etag, rrset: one })
    setDraft(addedTo(draftOf(zona, one, nombre), draft))
  }
  return (
    <ChangeForm
      op={PUT}
      input={input}
      ifMatch={base.etag}
      outdated={refresh}
      submit={rrset ? common.save : texts.add}
      cancel={close}
      ready={() => reading.attempt() && isFree(zona, { there, typed: now.draft }, records.rows)}
      done={({ data, etag }) =>
        saved({ nombre: data.nombre, tipo: data.tipo, before: base.rrset ?? there, after: data, etag })
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
          {there && begun ? <AlreadyThere rrset={there} add={() => begin(there)} /> : null}
          <Values
            zona={zona}
            tipo={draft.tipo}
            lines={draft.lines}
            put={(lines) => setDraft({ ...draft, lines })}
            paste={paste}
            checked={checked}
            error={error}
            tried={reading.tried}
            readings={now.readings}
            said={reading.said}
            say={reading.say}
          />
          {now.undecided ? null : (
            <Published zona={zona} checked={checked} ttl={ttl} tipo={reading.shown.tipo} />
          )}
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

/** Whether what is typed may be sent beside what is there, as it is now: what is shown follows a moment later. */
const isFree = (zona: string, { there, typed }: { there: Rrset | null; typed: Draft }, rows: Rrset[]) =>
  Object.keys(joined(zona, { there, typed, checked: checkDraft(zona, typed, rows) }, rows).checked.errors)
    .length === 0

/** What a paste makes of a draft, and what is said of it. */
function usePasting(
  { zona, draft, fixed }: { zona: string; draft: Typed; fixed: boolean },
  setDraft: (draft: Typed) => void,
) {
  const [pasted, setPasted] = useState<'line' | 'mixed' | null>(null)
  const paste = (at: number | null) => (event: ClipboardEvent<HTMLInputElement>) => {
    const found = pasteInto(zona, { draft, fixed }, { at, text: event.clipboardData.getData('text') })
    if (!found) return
    event.preventDefault()
    if ('mixed' in found) return setPasted('mixed')
    setPasted(found.draft.lines.length > draft.lines.length && at !== null ? null : 'line')
    setDraft(found.draft)
  }
  return { pasted, paste }
}

/** A draft as it is typed, what it means, and what is wrong with it: told as the typing pauses, and once it is tried. */
function useReading(about: { zona: string; rows: Rrset[]; fixed: boolean }, first: () => Typed) {
  const { zona, rows, fixed } = about
  const [draft, setDraft] = useState<Typed>(first)
  const [said, setSaid] = useState<Said>({})
  const [tried, setTried] = useState(false)
  const [settled] = useDebouncedValue(draft, 250)
  const now = meant(zona, draft, { rows, fixed, said })
  const shown = tried ? draft : settled
  const checked = useMemo(
    () => checkDraft(zona, meant(zona, shown, { rows, fixed, said }).draft, rows),
    [zona, shown, said, fixed, rows],
  )
  /** Whether it may be sent; if not, what is wrong is said at once. */
  const attempt = () => {
    setTried(true)
    return (
      !now.undecided && !now.unfinished && Object.keys(checkDraft(zona, now.draft, rows).errors).length === 0
    )
  }
  const say = (value: string, meaning: Meaning) => setSaid({ ...said, [value]: meaning })
  return { draft, setDraft, said, say, tried, now, shown, checked, attempt }
}

type OwnerProps = {
  draft: Typed
  set: (draft: Typed) => void
  checked: Checked
  error: (field: string) => string | undefined
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
        label={common.name}
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
        label={common.type}
        value={draft.tipo}
        disabled={fixed}
        error={checked.errors.tipo ?? error('tipo')}
        options={typeChoices().map((type) => ({ value: type, label: type }))}
        onChange={(tipo) => set(ofType(draft, tipo))}
      />
      <TextField
        mono
        label="TTL"
        description={texts.secondsOr1h1d}
        value={draft.ttl}
        error={checked.errors.ttl ?? error('ttl')}
        onChange={(ttl) => set({ ...draft, ttl })}
      />
    </div>
  )
}

/** The lines as the name servers will publish them. */
function Published({
  zona,
  checked,
  ttl,
  tipo,
}: {
  zona: string
  checked: Checked
  ttl: number
  tipo: string
}) {
  if (!checked.served || checked.nombre === null) return null
  const owner = `${wholeName(zona, checked.nombre)} ${ttl} ${tipo}`
  return (
    <div className="rr-served small">
      <span className="faint">{texts.willBePublished}</span>
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
      title={kind === 'line' ? texts.readAsZoneLine : texts.pastedSeveralSets}
    />
  )
}

function AlreadyThere({ rrset, add }: { rrset: Rrset; add: () => void }) {
  return (
    <Note tone="info" title={texts.addedToThese(rrset.tipo)}>
      <ValueList values={rrset.valores} />
      <p>
        <SmallButton onClick={add}>{texts.editThose}</SmallButton>
      </p>
    </Note>
  )
}
