import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { clientPath, sitePath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { chooseLanguage, language } from '../../text/language.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { fitOf, NO_FIT, plain } from './fit.ts'
import type { Place } from './places.ts'
import { useTasks } from './tasks.ts'
import { texts } from './texts.ts'

type Entry = {
  key: string
  label: string
  hint: string
  /** Others that it is found by. */
  words?: string
  icon: IconName
  run: () => void
}
type Props = {
  opened: boolean
  close: () => void
  places: Place[]
  customer: boolean
  showKeys: () => void
}

/** The command palette: screens and commands by what one types of them, clients, sites, zones and records by any part. */
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
      title={texts.searchAndGo}
      classNames={{ header: 'visually-hidden' }}
      transitionProps={{ transition: 'fade', duration: 80 }}
    >
      <Search {...props} />
    </Modal>
  )
}

function Search(props: Props) {
  const { close } = props
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const entries = useEntries(props, text)
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
          aria-label={texts.searchAndGo}
          placeholder={texts.searchHint}
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
      <div className="palette-list" role="listbox" id={`${id}-list`} ref={list} aria-label={texts.results}>
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
      {entries.length === 0 ? <p className="palette-none">{texts.nothingBeginsLikeThat}</p> : null}
    </div>
  )
}

/** What fits the text: screens and commands, what a customer wants done, and things by their names. */
function useEntries({ places, customer, showKeys }: Props, text: string): Entry[] {
  const commands = useCommands(places, customer)
  const tasks = useTasks(customer).map((task) => ({ ...task, hint: texts.task }))
  const found = useThings(text, customer)
  const keys = {
    key: 'keys',
    label: texts.keyboard,
    hint: texts.command,
    icon: 'edit',
    run: showKeys,
  } as const
  return [...fitting([...commands, keys, ...(text.trim() === '' ? [] : tasks)], text), ...found]
}

function useCommands(places: Place[], customer: boolean): Entry[] {
  const [, navigate] = useLocation()
  const scheme = useComputedColorScheme('light')
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const go = ({ href, ...entry }: Pick<Entry, 'key' | 'label' | 'icon'> & { href: string }): Entry => ({
    ...entry,
    hint: texts.command,
    run: () => navigate(href),
  })
  const spanish = language.get() === 'es'
  return [
    ...places.map(({ href, label, icon, group }) => ({
      key: href.replaceAll('/', '-'),
      label,
      hint: group || texts.screen,
      icon,
      run: () => navigate(href),
    })),
    ...(customer
      ? []
      : [
          go({ key: 'new-client', label: common.newClient, href: '/panel/clientes/nuevo', icon: 'plus' }),
          go({ key: 'new-token', label: texts.newApiToken, href: '/panel/tokens?nuevo', icon: 'plus' }),
          go({ key: 'failed', label: common.failedJobs, href: '/panel/tareas?estado=fallida', icon: 'jobs' }),
        ]),
    {
      key: 'language',
      label: spanish ? 'English' : 'Español',
      hint: texts.language,
      icon: 'language',
      run: () => chooseLanguage(spanish ? 'en' : 'es'),
    },
    {
      key: 'scheme',
      label: scheme === 'dark' ? common.lightColours : common.darkColours,
      hint: texts.colours,
      icon: scheme === 'dark' ? 'sun' : 'moon',
      run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    },
    {
      key: 'out',
      label: texts.signOut,
      hint: texts.session,
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
  const records = useRead('GET /api/registros', { query }, { enabled: settled.length >= 3 })
  if (!enabled) return []
  return [
    ...(clients.data?.datos ?? []).map(({ cliente, nombre }) => ({
      key: `client-${cliente}`,
      label: cliente,
      hint: nombre ?? texts.client,
      icon: 'clients' as const,
      run: () => navigate(clientPath(cliente)),
    })),
    ...(sites.data?.datos ?? []).map(({ domain, cliente }) => ({
      key: `site-${domain}`,
      label: domain,
      hint: `${texts.siteOf} ${cliente}`,
      icon: 'sites' as const,
      run: () => navigate(sitePath(domain)),
    })),
    ...(zones.data?.datos ?? []).map(({ zona, cliente }) => ({
      key: `zone-${zona}`,
      label: zona,
      hint: `${texts.zoneOf} ${cliente}`,
      icon: 'zones' as const,
      run: () => navigate(zonePath(zona)),
    })),
    ...(settled.length < 3 ? [] : (records.data?.datos ?? [])).map(({ zona, nombre, tipo, valores }) => ({
      key: `record-${zona}-${nombre}-${tipo}`,
      label: nombre === '@' ? zona : `${nombre}.${zona}`,
      hint: `${tipo} ${valores.join(' · ')}`,
      icon: 'zones' as const,
      run: () => navigate(zonePath(zona)),
    })),
  ]
}

/** What fits a text, the best first; all of it for none. */
function fitting(entries: Entry[], text: string): Entry[] {
  const typed = plain(text).split(/\s+/).filter(Boolean)
  return entries
    .map((entry) => ({
      entry,
      fit: fitOf(plain(`${entry.label} ${entry.hint} ${entry.words ?? ''}`), typed),
    }))
    .filter(({ fit }) => fit < NO_FIT)
    .sort((one, other) => one.fit - other.fit)
    .map(({ entry }) => entry)
}
