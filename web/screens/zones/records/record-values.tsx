import { ActionIcon, TextInput } from '@mantine/core'
import { type ClipboardEvent, useId } from 'react'
import { common } from '../../../text/common.ts'
import { Icon } from '../../../ui/icons.tsx'
import { type Checked, typeHint } from './record-check.ts'
import type { Said } from './record-draft.ts'
import type { Meaning, TwoReadings } from './targets.ts'
import { texts } from './texts.ts'

type Props = {
  zona: string
  tipo: string
  valores: string[]
  put: (valores: string[]) => void
  paste: (at: number) => (event: ClipboardEvent<HTMLInputElement>) => void
  checked: Checked
  error: (field: string) => string | undefined
  tried: boolean
  readings: (TwoReadings | null)[]
  said: Said
  say: (value: string, meaning: Meaning) => void
}

/** The values of a record set, one a line, each with what is wrong with it or still to be said. */
export function Values(props: Props) {
  const { zona, tipo, valores, put, paste, checked, error, tried, readings, said, say } = props
  const none = tried && valores.every((value) => value.trim() === '')
  const missing = none ? texts.leastOneValueNeeded : undefined
  const whole = checked.errors.valores ?? missing ?? (checked.served ? error('valores') : undefined)
  return (
    <fieldset className="rr-values">
      <legend className="field-label">{texts.values}</legend>
      {valores.map((value, at) => {
        const reading = readings[at] ?? null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and its text changes at every stroke
          <div className="rr-line" key={at}>
            <div className="rr-value">
              <TextInput
                className="input-mono"
                aria-label={`${common.value} ${at + 1}`}
                placeholder={typeHint(tipo).example}
                value={value}
                error={checked.errors[`valores.${at}`] ?? (at === 0 ? whole : undefined)}
                onChange={(event) => put(valores.with(at, event.currentTarget.value))}
                onPaste={paste(at)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
              {valores.length > 1 ? (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`${texts.removeValue} ${at + 1}`}
                  onClick={() => put(valores.toSpliced(at, 1))}
                >
                  <Icon name="close" size={14} />
                </ActionIcon>
              ) : null}
            </div>
            {reading ? (
              <Meant
                zona={zona}
                reading={reading}
                said={said[value.trim()] ?? null}
                say={(meaning) => say(value.trim(), meaning)}
                tried={tried}
              />
            ) : null}
          </div>
        )
      })}
      <button type="button" className="link-button" onClick={() => put([...valores, ''])}>
        {texts.anotherValue}
      </button>
    </fieldset>
  )
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
