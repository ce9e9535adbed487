import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { common } from '../../text/common.ts'
import { chooseLanguage, language } from '../../text/language.ts'
import { Icon } from '../icons.tsx'

/** Switches between Spanish and English; named in the language that it leads to. */
export function LanguageButton() {
  const next = language.use() === 'es' ? 'en' : 'es'
  return (
    <button type="button" className="language" lang={next} onClick={() => chooseLanguage(next)}>
      {next === 'es' ? 'Español' : 'English'}
    </button>
  )
}

/** Switches between dark and light. */
export function SchemeButton() {
  const scheme = useComputedColorScheme('light')
  // Without this, Mantine writes a style element, which the policy refuses.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const name = scheme === 'dark' ? common.lightColours : common.darkColours
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={name}
      title={name}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}
