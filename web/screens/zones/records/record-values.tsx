import { ActionIcon } from '@mantine/core'
import { type ClipboardEvent, useId, useState } from 'react'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { hostIn } from '../../../ui/forms/host.ts'
import { Icon } from '../../../ui/icons.tsx'
import { filled, isBlank, joinValue, newLine, type Part, partFaults, partsOf } from './parts.ts'
import type { Checked } from './record-check.ts'
import type { Said } from './record-draft.ts'
import type { Meaning, TwoReadings } from './targets.ts'
import { texts } from './texts.ts'

type Props = {
  zona: string
  tipo: string
  lines: string[][]
  put: (lines: string[][]) => void
  paste: (at: number) => (event: ClipboardEvent<HTMLInputElement>) => void
  checked: Checked
  error: (field: string) => string | undefined
  tried: boolean
  readings: (TwoReadings | null)[]
  said: Said
  say: (value: string, meaning: Meaning) => void
}

/** The records of a set, each as the fields of its type, with what is wrong with it or still to be said. */
export function Values(props: Props) {
  const { zona, tipo, lines, put, checked, error, tried, readings, said, say } = props
  const none = tried && lines.every((line) => isBlank(tipo, line))
  const missing = none ? texts.leastOneValueNeeded : undefined
  const whole = checked.errors.valores ?? missing ?? (checked.served ? error('valores') : undefined)
  return (
    <fieldset className="rr-values">
      <legend className="visually-hidden">{texts.values}</legend>
      {lines.map((line, at) => {
        const reading = readings[at] ?? null
        const value = joinValue(tipo, line)
        const fault = checked.errors[`valores.${at}`] ?? (at === 0 ? whole : undefined)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and its text changes at every stroke
          <div className="rr-line" key={at}>
            <Line {...props} at={at} line={line} fault={fault} />
            {reading ? (
              <Meant
                zona={zona}
                reading={reading}
                said={said[value] ?? null}
                say={(meaning) => say(value, meaning)}
                tried={tried}
              />
            ) : null}
          </div>
        )
      })}
      <button type="button" className="link-button" onClick={() => put([...lines, newLine(tipo)])}>
        {texts.anotherValue}
      </button>
    </fieldset>
  )
}

type LineProps = Props & { at: number; line: string[]; fault: string | undefined }

/** One record: a field for each part of its data. Whole data pasted into one field goes into all of them. */
function Line({ tipo, lines, put, paste, tried, at, line, fault }: LineProps) {
  const parts = partsOf(tipo)
  const [from, setFrom] = useState<string | null>(null)
  const faults = isBlank(tipo, line) ? [] : partFaults(tipo, line)
  const set = (part: number, text: string) => {
    const host = parts[part]?.kind === 'name' ? hostIn(text) : text
    setFrom(host === text ? null : text)
    put(lines.with(at, filled(tipo, line, { at: part, text: host })))
  }
  return (
    <div className="rr-value">
      <div className="rr-parts" data-parts={parts.length}>
        {parts.map((part, n) => (
          <PartField
            key={part.label}
            part={part}
            label={lines.length > 1 ? `${texts[part.label]} ${at + 1}` : texts[part.label]}
            value={line[n] ?? ''}
            // What is wrong with a record as a whole stands at its last field.
            error={partError(faults[n] ?? null, part, tried) ?? (n === parts.length - 1 ? fault : undefined)}
            description={from && part.kind === 'name' ? texts.takenFrom(from.trim()) : undefined}
            set={(text) => set(n, text)}
            paste={paste(at)}
          />
        ))}
      </div>
      {lines.length > 1 ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className="rr-remove"
          aria-label={`${texts.removeValue} ${at + 1}`}
          onClick={() => put(lines.toSpliced(at, 1))}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      ) : null}
    </div>
  )
}

type PartProps = {
  part: Part
  label: string
  value: string
  error: string | undefined
  description: string | undefined
  set: (text: string) => void
  paste: (event: ClipboardEvent<HTMLInputElement>) => void
}

function PartField({ part, label, value, error, description, set, paste }: PartProps) {
  const { kind, options, example } = part
  if (options) {
    const known = options.some(([one]) => one === value)
    const all = known ? options : [...options, [value, value] as const]
    return (
      <Choice
        label={label}
        value={value}
        error={error}
        options={all.map(([one, words]) => ({ value: one, label: words }))}
        onChange={set}
      />
    )
  }
  return (
    <TextField
      mono
      label={label}
      value={value}
      error={error}
      placeholder={example}
      {...(description ? { description } : {})}
      {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
      onChange={set}
      onPaste={paste}
    />
  )
}

/** A number that is none is told at once; a field that is still empty, once one tries. */
function partError(
  fault: 'missing' | 'number' | null,
  { max = 0 }: Part,
  tried: boolean,
): string | undefined {
  if (fault === 'missing') return tried ? texts.fillThisIn : undefined
  return fault === 'number' ? texts.numberUpTo(max) : undefined
}

/** Which of two names is meant: asked where both are likely, offered where one is taken for granted. */
function Meant({
  zona,
  reading,
  said,
  say,
  tried,
}: {
  zona: string
  reading: TwoReadings
  said: Meaning | null
  say: (meaning: Meaning) => void
  tried: boolean
}) {
  const group = useId()
  if (said === null && reading.likely === 'absolute') {
    return (
      <button type="button" className="link-button small" onClick={() => say('relative')}>
        {texts.nameBelow(zona)}
      </button>
    )
  }
  const options: [Meaning, string, string][] = [
    ['absolute', reading.absolute, texts.asItStands],
    ['relative', reading.relative, texts.belowThisZone],
  ]
  return (
    <fieldset className="choices rr-meant">
      <legend>{texts.whichNameIsMeant}</legend>
      {options.map(([meaning, name, words]) => (
        <label key={meaning}>
          <input type="radio" name={group} checked={said === meaning} onChange={() => say(meaning)} />
          <span>
            <code>{name}</code> <span className="faint small">{words}</span>
          </span>
        </label>
      ))}
      {tried && said === null ? (
        <p className="field-error" role="alert">
          {texts.chooseOne}
        </p>
      ) : null}
    </fieldset>
  )
}
