import { ActionIcon, Button, Menu } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { signOut } from '../api/client.ts'
import { queries, useRead } from '../api/hooks.ts'
import { endedLook, endImpersonation, session } from '../api/session.ts'
import { relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { SideSheet } from '../ui/dialog.tsx'
import { Icon, Mark } from '../ui/icons.tsx'
import { LanguageButton, SchemeButton } from '../ui/taste.tsx'
import { Palette } from './palette.tsx'
import { accountPlace, adminPlaces, clientPath, customerPlaces, type Place } from './places.ts'
import { RequestLog } from './request-log.tsx'

/** The frame of everything inside: menu, search, request log, account. */
export function Shell({ customer, children }: { customer: boolean; children: ReactNode }) {
  const [palette, setPalette] = useState(false)
  const [menu, setMenu] = useState(false)
  const [log, setLog] = useState(false)
  const [path] = useLocation()
  const places = customer ? customerPlaces() : adminPlaces()
  useHotkeys([
    ['mod+K', () => setPalette(true)],
    ['/', () => setPalette(true)],
    ['mod+.', () => setLog(true)],
  ])
  const main = useRef<HTMLElement>(null)
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    setMenu(false)
    scrollTo(0, 0)
    // A new screen is a new page: reading begins at its top, without a jump to the menu.
    main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#contenido">
        {t('Skip to the content', 'Saltar al contenido')}
      </a>
      <aside className="side" aria-label={t('Menu', 'Menú')}>
        <Side places={places} customer={customer} path={path} />
      </aside>
      <div className="body">
        <section className="top" aria-label={t('Tools', 'Herramientas')}>
          <ActionIcon
            className="menu-button"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('Menu', 'Menú')}
            onClick={() => setMenu(true)}
          >
            <Icon name="menu" />
          </ActionIcon>
          <Crumbs places={[...places, accountPlace()]} path={path} />
          <button type="button" className="search-button" onClick={() => setPalette(true)}>
            <Icon name="search" size={14} />
            <span>{t('Search and go', 'Buscar e ir')}</span>
            <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</kbd>
          </button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('Requests of this page', 'Peticiones de esta página')}
            title={t('Requests of this page', 'Peticiones de esta página')}
            onClick={() => setLog(true)}
          >
            <Icon name="wire" />
          </ActionIcon>
          <LanguageButton />
          <SchemeButton />
        </section>
        <ImpersonationBanner />
        <EndedLookBanner />
        <main className="main" id="contenido" ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <SideSheet title={t('Menu', 'Menú')} opened={menu} close={() => setMenu(false)} size="16rem" left>
        <div className="side side-drawer">
          <Side places={places} customer={customer} path={path} />
        </div>
      </SideSheet>
      <SideSheet
        title={t('Requests of this page', 'Peticiones de esta página')}
        opened={log}
        close={() => setLog(false)}
      >
        <RequestLog />
      </SideSheet>
      <Palette
        opened={palette}
        close={() => setPalette(false)}
        places={[...places, accountPlace()]}
        customer={customer}
      />
    </div>
  )
}

function Side({ places, customer, path }: { places: Place[]; customer: boolean; path: string }) {
  const connection = useRead('GET /api/conexion', {})
  const groups = [...new Set(places.map(({ group }) => group))]
  return (
    <>
      <Link href="/panel" className="brand">
        <Mark />
        Panel
        {!customer && connection.data?.nodo ? <small>{connection.data.nodo}</small> : null}
      </Link>
      <nav className="nav" aria-label={t('Main', 'Principal')}>
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
            <small>{now.person.cliente ?? t('Administrator', 'Administrador')}</small>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="account" />} onClick={() => navigate('/panel/cuenta')}>
          {t('My account', 'Mi cuenta')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="external" />} component="a" href="/docs" target="_blank">
          {t('API documentation', 'Documentación de la API')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={leave}>
          {t('Sign out', 'Salir')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The way from the top to here. */
function Crumbs({ places, path }: { places: Place[]; path: string }) {
  const place = [...places].reverse().find((place) => isAt(place, path))
  const rest = place ? path.slice(place.href.length).split('/').filter(Boolean) : []
  const thing = rest[0] && place?.href !== '/panel' ? decodeURIComponent(rest[0]) : null
  if (!place) return <nav className="crumbs" aria-label={t('Path', 'Ruta')} />
  return (
    <nav className="crumbs" aria-label={t('Path', 'Ruta')}>
      {thing ? <Link href={place.href}>{place.label}</Link> : <span>{place.label}</span>}
      {thing ? (
        <>
          <Icon name="chevron" size={12} />
          <span className="mono">{thing === 'nuevo' ? t('new', 'nuevo') : thing}</span>
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
        {ended.why === 'reload'
          ? t('Reloading ended your look at the account of', 'Al recargar terminó su vista de la cuenta de')
          : t('Your time on this account is over:', 'Se acabó su tiempo en esta cuenta:')}{' '}
        <b>{ended.cliente}</b>.{' '}
        {t('You are in your own account again.', 'Está de nuevo en su propia cuenta.')}{' '}
        <Link href={clientPath(ended.cliente)} onClick={() => endedLook.set(null)}>
          {t('Go to the client', 'Ir al cliente')}
        </Link>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => endedLook.set(null)}>
        {t('Understood', 'Entendido')}
      </Button>
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
        {t('You are looking at the account of', 'Está viendo la cuenta de')} <b>{now.person.cliente}</b>,{' '}
        {t('recorded in the audit trail. It ends', 'anotado en la auditoría. Termina')}{' '}
        {relative(new Date(now.expires).toISOString())}.
      </span>
      <Button size="compact-sm" variant="default" onClick={end}>
        {t('Back to my account', 'Volver a mi cuenta')}
      </Button>
    </div>
  )
}
