import { ActionIcon, Menu } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { signOut } from '../../api/client.ts'
import { queries, useRead } from '../../api/hooks.ts'
import { endedLook, endImpersonation, session } from '../../api/session.ts'
import { clientPath, webhooksPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { relative } from '../../text/format.ts'
import { SideSheet } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Brand } from '../../ui/look/brand.tsx'
import { LanguageButton, SchemeButton } from '../../ui/look/taste.tsx'
import { chooseWire, useIsOperator, wireChosen } from '../../ui/look/wire.tsx'
import { screenTitle } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { TransferStrip } from '../../ui/transfers/strip.tsx'
import { AttentionCentre } from '../attention/centre.tsx'
import { ConnectionBanner } from './connection.tsx'
import { Palette } from './palette.tsx'
import { accountPlace, adminPlaces, customerPlaces, type Place } from './places.ts'
import { RequestLog } from './request-log.tsx'
import { modKey, Shortcuts } from './shortcuts.tsx'
import { texts } from './texts.ts'

/** The frame of everything inside: menu, search, request log, account. */
export function Shell({ customer, children }: { customer: boolean; children: ReactNode }) {
  const [palette, setPalette] = useState(false)
  const [menu, setMenu] = useState(false)
  const [log, setLog] = useState(false)
  const [path] = useLocation()
  const places = customer ? customerPlaces() : adminPlaces()
  const [keys, setKeys] = useState(false)
  const openPalette = () => !isDialogOpen() && setPalette(true)
  // These are no text, so they work while one types, too.
  useHotkeys(
    [
      ['mod+K', openPalette],
      ['mod+.', () => setLog(true)],
    ],
    [],
    true,
  )
  useHotkeys([
    ['/', openPalette],
    ['shift+?', () => !isDialogOpen() && setKeys(true)],
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes elsewhere has chosen from the menu
  useEffect(() => setMenu(false), [path])
  return (
    <div className="shell">
      <a className="skip" href="#contenido">
        {texts.skipToTheContent}
      </a>
      <aside className="side" aria-label={texts.menu}>
        <Side places={places} customer={customer} path={path} />
      </aside>
      <div className="body">
        <Top
          places={[...places, accountPlace()]}
          path={path}
          customer={customer}
          openMenu={() => setMenu(true)}
          openPalette={openPalette}
          openLog={() => setLog(true)}
        />
        <ConnectionBanner />
        <ImpersonationBanner />
        <EndedLookBanner />
        <Screen path={path}>{children}</Screen>
        <TransferStrip />
      </div>
      <SideSheet title={texts.menu} opened={menu} close={() => setMenu(false)} size="16rem" left>
        <div className="side side-drawer">
          <Side places={places} customer={customer} path={path} />
        </div>
      </SideSheet>
      <SideSheet title={texts.requestsOfThisPage} opened={log} close={() => setLog(false)}>
        <RequestLog />
      </SideSheet>
      <Palette
        opened={palette}
        close={() => setPalette(false)}
        places={[...places, accountPlace()]}
        customer={customer}
        showKeys={() => setKeys(true)}
      />
      <Shortcuts opened={keys} close={() => setKeys(false)} />
    </div>
  )
}

/** The part of the frame that another address fills with another screen. */
function Screen({ path, children }: { path: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const before = useRef(path)
  // Until something is done on it, a screen comes up in order; what is read later takes nothing away.
  const [touched, touch] = useState<string | null>(null)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    scrollTo(0, 0)
    // A new screen is a new page: reading begins at its top, without a jump to the menu.
    main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <main
      className="main"
      id="contenido"
      ref={main}
      tabIndex={-1}
      data-fresh={touched === path ? undefined : ''}
      onPointerDownCapture={() => touch(path)}
      onKeyDownCapture={() => touch(path)}
    >
      {children}
    </main>
  )
}

/** What is typed in a dialog would be lost by going elsewhere. */
const isDialogOpen = () => document.querySelector('[role=dialog]') !== null

type TopProps = {
  places: Place[]
  path: string
  customer: boolean
  openMenu: () => void
  openPalette: () => void
  openLog: () => void
}

function Top({ places, path, customer, openMenu, openPalette, openLog }: TopProps) {
  return (
    <section className="top" aria-label={texts.tools}>
      <ActionIcon
        className="menu-button"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.menu}
        onClick={openMenu}
      >
        <Icon name="menu" />
      </ActionIcon>
      <Crumbs places={places} path={path} />
      <button type="button" className="search-button" onClick={openPalette}>
        <Icon name="search" size={14} />
        <span>{texts.searchAndGo}</span>
        <kbd>{modKey()} K</kbd>
      </button>
      {customer ? null : <AttentionCentre />}
      {useIsOperator() ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.requestsOfThisPage}
          title={texts.requestsOfThisPage}
          onClick={openLog}
        >
          <Icon name="wire" />
        </ActionIcon>
      ) : null}
      <LanguageButton />
      <SchemeButton />
    </section>
  )
}

function Side({ places, customer, path }: { places: Place[]; customer: boolean; path: string }) {
  const connection = useRead('GET /api/conexion', {})
  const groups = [...new Set(places.map(({ group }) => group))]
  return (
    <>
      <Link href="/panel" className="brand">
        <Brand />
        {!customer && connection.data?.nodo ? <small>{connection.data.nodo}</small> : null}
      </Link>
      <nav className="nav" aria-label={texts.main}>
        {groups.map((group) => (
          <div key={group}>
            {group ? <h2>{group}</h2> : null}
            {places
              .filter((place) => place.group === group)
              .map((place) => (
                <Link
                  key={place.href}
                  href={place.href}
                  aria-current={isAt(place, path) ? 'page' : undefined}
                >
                  <Icon name={place.icon} />
                  {place.label}
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <div className="side-foot">
        <AccountMenu />
      </div>
    </>
  )
}

const isAt = ({ href }: Place, path: string) =>
  href === '/panel' ? path === '/panel' || path === '/panel/' : path === href || path.startsWith(`${href}/`)

function AccountMenu() {
  const now = session.use()
  const operator = useIsOperator()
  const wire = wireChosen.use()
  const [, navigate] = useLocation()
  if (now.kind !== 'in') return null
  const leave = async () => {
    await signOut().catch(() => undefined)
    queries.clear()
  }
  return (
    <Menu position="top-start" width={208} shadow="md">
      <Menu.Target>
        <button type="button" className="who">
          <Icon name="account" />
          <span>
            {now.person.correo ?? '—'}
            <small>{now.person.cliente ?? common.administrator}</small>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="account" />} onClick={() => navigate('/panel/cuenta')}>
          {common.myAccount}
        </Menu.Item>
        {operator ? (
          <>
            <Menu.Item leftSection={<Icon name="external" />} component="a" href="/docs" target="_blank">
              {texts.apiDocumentation}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="wire" />} onClick={() => chooseWire(!wire)}>
              {wire ? texts.hideApiNames : texts.showApiNames}
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item leftSection={<Icon name="out" />} onClick={leave}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The way from the top to here. */
function Crumbs({ places, path }: { places: Place[]; path: string }) {
  const place = [...places].reverse().find((place) => isAt(place, path))
  const rest = place ? path.slice(place.href.length).split('/').filter(Boolean) : []
  const title = screenTitle.use()
  const key = rest[0] && place?.href !== '/panel' ? decodeURIComponent(rest[0]) : null
  // The key of a webhook says nothing to a person, and what is new has none.
  const titled = key === 'nuevo' || (key !== null && place?.href === webhooksPath)
  const thing = titled ? title : key
  if (!place) return <nav className="crumbs" aria-label={texts.path} />
  return (
    <nav className="crumbs" aria-label={texts.path}>
      {thing ? <Link href={place.href}>{place.label}</Link> : <span>{place.label}</span>}
      {thing ? (
        <>
          <Icon name="chevron" size={12} />
          <span className={titled ? undefined : 'mono'}>{thing}</span>
        </>
      ) : null}
    </nav>
  )
}

/** A look at a customer's account that ended by itself must not pass for one that goes on. */
function EndedLookBanner() {
  const ended = endedLook.use()
  const now = session.use()
  if (!ended || now.kind !== 'in' || now.person.rol !== 'admin') return null
  return (
    <div className="banner" role="status">
      <Icon name="eye" />
      <span>
        {ended.why === 'reload' ? texts.lookEndedByReload : texts.lookEndedByTime} <b>{ended.cliente}</b>.{' '}
        {texts.ownAccountAgain}{' '}
        <Link href={clientPath(ended.cliente)} onClick={() => endedLook.set(null)}>
          {texts.goToTheClient}
        </Link>
      </span>
      <SmallButton onClick={() => endedLook.set(null)}>{texts.understood}</SmallButton>
    </div>
  )
}

/** While a customer's account is looked at, every screen says so. */
function ImpersonationBanner() {
  const now = session.use()
  const [, navigate] = useLocation()
  if (now.kind !== 'in' || !now.admin) return null
  const end = () => {
    const { cliente } = now.person
    endImpersonation()
    queries.clear()
    navigate(`/panel/clientes/${encodeURIComponent(cliente ?? '')}/resumen`)
  }
  return (
    <div className="banner" role="status">
      <Icon name="eye" />
      <span>
        {texts.lookingAt} <b>{now.person.cliente}</b>, {texts.lookIsRecorded}{' '}
        {relative(new Date(now.expires).toISOString())}.
      </span>
      <SmallButton onClick={end}>{texts.backToMyAccount}</SmallButton>
    </div>
  )
}
