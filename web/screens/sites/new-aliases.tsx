import { Checkbox } from '@mantine/core'
import { TextArea } from '../../ui/forms/fields.tsx'
import type { FieldErrors } from '../../ui/forms/form.tsx'
import { bareOf, type NewAliases, nameIn, wwwOf } from './new-names.ts'
import { texts } from './texts.ts'

export function NewAliasesFields({
  value,
  set,
  error,
}: {
  value: NewAliases
  set: (change: Partial<Pick<NewAliases, 'aliases' | 'www'>>) => void
  error: FieldErrors
}) {
  const bare = bareOf(value.domain)
  return (
    <>
      <Checkbox
        checked={value.www}
        onChange={(event) => set({ www: event.currentTarget.checked })}
        label={
          bare === null
            ? texts.serveToo(wwwOf(value.domain) ?? 'www')
            : texts.bareWith(bare, nameIn(value.domain))
        }
        description={bare === null ? texts.wwwHint : texts.bareHint}
      />
      <TextArea
        mono
        rows={2}
        label={texts.otherAliases}
        description={texts.otherAliasesHint}
        value={value.aliases}
        onChange={(aliases) => set({ aliases })}
        error={error('aliases')}
      />
    </>
  )
}
