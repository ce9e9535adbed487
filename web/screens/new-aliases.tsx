import { Checkbox } from '@mantine/core'
import { t } from '../i18n/language.ts'
import { namesIn, TextArea } from '../ui/fields.tsx'
import type { FieldErrors } from '../ui/form.tsx'

/** What a new site's form says about its names: aliases one a line, and whether `www` comes along. */
export type NewAliases = { domain: string; aliases: string; www: boolean }

/** The field of the request: left out, the panel gives `www` where it is free. */
export function aliasesOf({ domain, aliases, www }: NewAliases): { aliases?: string[] } {
  const typed = namesIn(aliases)
  if (!www) return { aliases: typed }
  if (typed.length === 0) return {}
  const own = wwwOf(domain)
  return { aliases: own === null || typed.includes(own) ? typed : [own, ...typed] }
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
        label={t(
          `Serve ${wwwOf(value.domain) ?? 'www'} too`,
          `Servir también ${wwwOf(value.domain) ?? 'www'}`,
        )}
        description={t(
          'Left out where the name is taken or the plan has no room for it.',
          'Se omite si el nombre está ocupado o no cabe en el plan.',
        )}
      />
      <TextArea
        mono
        rows={2}
        label={t('Other aliases', 'Otros alias')}
        description={t('One a line, none needed.', 'Uno por línea; pueden faltar.')}
        value={value.aliases}
        onChange={(aliases) => set({ aliases })}
        error={error('aliases')}
      />
    </>
  )
}
