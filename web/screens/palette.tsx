import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import { chooseLanguage, language, t } from '../i18n/language.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { clientPath, type Place, sitePath, zonePath } from './places.ts'

type Entry = { key: string; label: string; hint: string; icon: IconName; run: () => void }
type Props = { opened: boolean; close: () => void; places: Place[]; customer: boolean }

/** The command palette: screens, commands, and clients, sites and zones by the beginning of their names. */
export function Palette(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.close}
      withCloseButton={false}
      lockScroll={false}
      size="36rem"
      yOffset="12vh"
      padding={0}
      title={t('Search and go', 'Buscar e ir')}
      classNames={{ header: 'visually-hidden' }}
      transitionProps={{ transition: 'fade', duration: 80 }}
    >
      <Search {...props} />
    </Modal>
  )
}

function Search({ close, places, customer }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const commands = useCommands(places, customer)
  const found = useThings(text, customer)
  const words = plain(text).split(/\s+/).filter(Boolean)
  const entries = [...commands.filter(({ label, hint }) => begins(`${label} ${hint}`, words)), ...found]
  const at = Math.min(chosen, entries.length - 1)
  // At once: the dialog's own focus comes a moment later, and what is typed until then would be lost.
  useLayoutEffect(() => input.current?.focus(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    close()
    entry.run()
  }
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') go(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <div className="palette" data-lock-page>
      <div className="palette-field">
        <Icon name="search" />
        <input
          ref={input}
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] ? `${id}-${entries[at].key}` : undefined}
          aria-label={t('Search and go', 'Buscar e ir')}
          placeholder={t(
            'A screen, a command, a client, a site, a zone…',
            'Una pantalla, una orden, un cliente, un sitio, una zona…',
          )}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={key}
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>Esc</kbd>
      </div>
      <div
        className="palette-list"
        role="listbox"
        id={`${id}-list`}
        ref={list}
        aria-label={t('Results', 'Resultados')}
      >
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (ARIA combobox pattern)
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={entry.key}
            id={`${id}-${entry.key}`}
            role="option"
            aria-selected={index === at}
            onClick={() => go(entry)}
            onMouseMove={() => index !== at && setChosen(index)}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
            <small>{entry.hint}</small>
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <p className="palette-none">{t('Nothing begins like that.', 'Nada empieza así.')}</p>
      ) : null}
    </div>
  )
}

function useCommands(places: Place[], customer: boolean): Entry[] {
  const [, navigate] = useLocation()
  const scheme = useComputedColorScheme('light')
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const go = (key: string, label: string, href: string, icon: IconName): Entry => ({
    key,
    label,
    hint: t('command', 'orden'),
    icon,
    run: () => navigate(href),
  })
  const spanish = language.get() === 'es'
  return [
    ...places.map(({ href, label, icon, group }) => ({
      key: href.replaceAll('/', '-'),
      label,
      hint: group || t('screen', 'pantalla'),
      icon,
      run: () => navigate(href),
    })),
    ...(customer
      ? []
      : [
          go('new-client', t('New client', 'Cliente nuevo'), '/panel/clientes/nuevo', 'plus'),
          go('new-token', t('New API token', 'Token de API nuevo'), '/panel/tokens?nuevo', 'plus'),
          go('failed', t('Failed jobs', 'Tareas fallidas'), '/panel/tareas?estado=fallida', 'jobs'),
        ]),
    {
      key: 'language',
      label: spanish ? 'English' : 'Español',
      hint: t('language', 'idioma'),
      icon: 'language',
      run: () => chooseLanguage(spanish ? 'en' : 'es'),
    },
    {
      key: 'scheme',
      label: scheme === 'dark' ? t('Light colours', 'Colores claros') : t('Dark colours', 'Colores oscuros'),
      hint: t('colours', 'colores'),
      icon: scheme === 'dark' ? 'sun' : 'moon',
      run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    },
    {
      key: 'out',
      label: t('Sign out', 'Salir'),
      hint: t('session', 'sesión'),
      icon: 'out',
      run: () => void signOut().catch(() => undefined),
    },
  ]
}

const PER_KIND = '5'

/** Clients, sites and zones whose names begin with the text. */
function useThings(text: string, customer: boolean): Entry[] {
  const [, navigate] = useLocation()
  const [settled] = useDebouncedValue(text.trim().toLowerCase(), 150)
  const enabled = settled.length >= 2
  const query = { buscar: settled, limite: PER_KIND }
  const clients = useRead('GET /api/clientes', { query }, { enabled: enabled && !customer })
  const sites = useRead('GET /api/sitios', { query }, { enabled })
  const zones = useRead('GET /api/zonas', { query }, { enabled })
  if (!enabled) return []
  return [
    ...(clients.data?.datos ?? []).map(({ cliente, nombre }) => ({
      key: `client-${cliente}`,
      label: cliente,
      hint: nombre ?? t('client', 'cliente'),
      icon: 'clients' as const,
      run: () => navigate(clientPath(cliente)),
    })),
    ...(sites.data?.datos ?? []).map(({ domain, cliente }) => ({
      key: `site-${domain}`,
      label: domain,
      hint: `${t('site of', 'sitio de')} ${cliente}`,
      icon: 'sites' as const,
      run: () => navigate(sitePath(domain)),
    })),
    ...(zones.data?.datos ?? []).map(({ zona, cliente }) => ({
      key: `zone-${zona}`,
      label: zona,
      hint: `${t('zone of', 'zona de')} ${cliente}`,
      icon: 'zones' as const,
      run: () => navigate(zonePath(zona)),
    })),
  ]
}

/** Whether each typed word is the beginning of one of the text's. */
const begins = (text: string, typed: string[]) => {
  const words = plain(text).split(/\s+/)
  return typed.every((one) => words.some((word) => word.startsWith(one)))
}

/** Without case and accents, as one types in a hurry. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
