import { Checkbox, Input } from '@mantine/core'
import type { WebhookType } from './data.ts'
import { EVENT_GROUPS, eventWords } from './event-words.ts'
import { texts } from './texts.ts'

type Props = { chosen: WebhookType[]; error: string | undefined; onChange: (chosen: WebhookType[]) => void }

/** What a webhook is told of: everything, or types of events by what they are about. */
export function TypesChoice({ chosen, error, onChange }: Props) {
  const all = chosen.includes('*')
  return (
    <fieldset className="checks-of">
      <legend className="field-label">{texts.events}</legend>
      <Checkbox
        label={texts.allEvents}
        description={texts.allEventsHint}
        checked={all}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
      />
      {all
        ? null
        : EVENT_GROUPS.map(([group, types]) => (
            <Group key={group} title={texts[group]} types={types} chosen={chosen} onChange={onChange} />
          ))}
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
    </fieldset>
  )
}

type GroupProps = Omit<Props, 'error'> & { title: string; types: WebhookType[] }

function Group({ title, types, chosen, onChange }: GroupProps) {
  const picked = types.filter((type) => chosen.includes(type))
  const set = (changed: WebhookType[], on: boolean) => {
    const others = chosen.filter((type) => !changed.includes(type))
    onChange(on ? [...others, ...changed] : others)
  }
  return (
    <fieldset>
      <legend className="visually-hidden">{title}</legend>
      <Checkbox
        label={title}
        className="strong"
        checked={picked.length === types.length}
        indeterminate={picked.length > 0 && picked.length < types.length}
        onChange={(event) => set(types, event.currentTarget.checked)}
      />
      <div className="checks-list">
        {types.map((type) => (
          <Checkbox
            key={type}
            label={type === '*' ? texts.allEvents : eventWords[type]}
            checked={chosen.includes(type)}
            onChange={(event) => set([type], event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
