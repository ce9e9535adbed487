import { ActionIcon, TextInput } from '@mantine/core'
import { type ClipboardEvent, useId } from 'react'
import { t } from '../../i18n/language.ts'
import { Icon } from '../../ui/icons.tsx'
import { type Checked, typeHint } from './record-check.ts'
import type { Said } from './record-draft.ts'
import type { Meaning, TwoReadings } from './targets.ts'

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
  const missing = none ? t('At least one value is needed.', 'Hace falta al menos un valor.') : undefined
  const whole = checked.errors.valores ?? missing ?? (checked.served ? error('valores') : undefined)
  return (
    <fieldset className="rr-values">
      <legend className="field-label">{t('Values', 'Valores')}</legend>
      {valores.map((value, at) => {
        const reading = readings[at] ?? null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and its text changes at every stroke
          <div className="rr-line" key={at}>
            <div className="rr-value">
              <TextInput
                className="input-mono"
                aria-label={`${t('Value', 'Valor')} ${at + 1}`}
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
                  aria-label={`${t('Remove value', 'Quitar el valor')} ${at + 1}`}
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
        {t('Another value', 'Otro valor')}
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
        {t(`It is a name below ${zona}`, `Es un nombre por debajo de ${zona}`)}
      </button>
    )
  }
  const options: [Meaning, string, string][] = [
    ['absolute', reading.absolute, t('as it stands', 'tal como está')],
    ['relative', reading.relative, t('below this zone', 'por debajo de esta zona')],
  ]
  return (
    <fieldset className="choices rr-meant">
      <legend>{t('Which name is meant?', '¿Qué nombre quiere decir?')}</legend>
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
          {t('Choose one of the two.', 'Elija uno de los dos.')}
        </p>
      ) : null}
    </fieldset>
  )
}
