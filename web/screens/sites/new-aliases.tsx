import { Checkbox } from '@mantine/core'
import { namesIn, TextArea } from '../../ui/forms/fields.tsx'
import type { FieldErrors } from '../../ui/forms/form.tsx'
import { hostIn } from '../../ui/forms/host.ts'
import { texts } from './texts.ts'

/** What a new site's form says about its names: aliases one a line, and whether `www` comes along. */
export type NewAliases = { domain: string; aliases: string; www: boolean }

/** The field of the request: left out, the panel gives `www` where it is free. It comes last: faults count lines. */
export function aliasesOf({ domain, aliases, www }: NewAliases): { aliases?: string[] } {
  const typed = namesIn(aliases).map(hostIn)
  if (!www) return { aliases: typed }
  if (typed.length === 0) return {}
  const own = wwwOf(domain)
  return { aliases: own === null || typed.includes(own) ? typed : [...typed, own] }
}

const wwwOf = (domain: string): string | null => {
  const name = domain.trim().toLowerCase().replace(/\.$/, '')
  return name === '' || name.startsWith('www.') ? null : `www.${name}`
}

export function NewAliasesFields({
  value,
  set,
  error,
}: {
  value: NewAliases
  set: (change: Partial<Pick<NewAliases, 'aliases' | 'www'>>) => void
  error: FieldErrors
}) {
  return (
    <>
      <Checkbox
        checked={value.www}
        onChange={(event) => set({ www: event.currentTarget.checked })}
        label={texts.serveToo(wwwOf(value.domain) ?? 'www')}
        description={texts.wwwHint}
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
