import { t } from '../i18n/language.ts'
import type { IconName } from '../ui/icons.tsx'

export type Place = { href: string; label: string; icon: IconName; group: string }

/** Addresses of things end in a word, since a name such as `a.json` would look like a file's. */
export const clientPath = (name: string, tab = 'resumen') =>
  `/panel/clientes/${encodeURIComponent(name)}/${tab}`
export const sitePath = (domain: string) => `/panel/sitios/${encodeURIComponent(domain)}/detalle`
export const zonePath = (zone: string, tab = 'registros') => `/panel/zonas/${encodeURIComponent(zone)}/${tab}`
export const mirrorPath = (zone: string) => `/panel/espejo/${encodeURIComponent(zone)}/detalle`

/** Where an admin can go. */
export function adminPlaces(): Place[] {
  const hosting = t('Hosting', 'Alojamiento')
  const dns = 'DNS'
  const panel = t('Panel', 'Panel')
  const operation = t('Operation', 'Operación')
  return [
    { href: '/panel', label: t('Overview', 'Resumen'), icon: 'overview', group: '' },
    { href: '/panel/clientes', label: t('Clients', 'Clientes'), icon: 'clients', group: hosting },
    { href: '/panel/sitios', label: t('Sites', 'Sitios'), icon: 'sites', group: hosting },
    { href: '/panel/planes', label: t('Plans', 'Planes'), icon: 'plans', group: hosting },
    { href: '/panel/zonas', label: t('Zones', 'Zonas'), icon: 'zones', group: dns },
    {
      href: '/panel/espejo',
      label: t('Provider and mirror', 'Proveedor y espejo'),
      icon: 'mirror',
      group: dns,
    },
    { href: '/panel/tokens', label: t('API tokens', 'Tokens de API'), icon: 'token', group: panel },
    { href: '/panel/personas', label: t('Persons', 'Personas'), icon: 'persons', group: panel },
    { href: '/panel/auditoria', label: t('Audit trail', 'Auditoría'), icon: 'audit', group: panel },
    { href: '/panel/tareas', label: t('Jobs', 'Tareas'), icon: 'jobs', group: operation },
    {
      href: '/panel/nodos',
      label: t('Node and services', 'Nodo y servicios'),
      icon: 'node',
      group: operation,
    },
  ]
}

/** Where a customer can go. */
export function customerPlaces(): Place[] {
  return [
    { href: '/panel', label: t('Plan and use', 'Plan y uso'), icon: 'usage', group: '' },
    { href: '/panel/sitios', label: t('Sites', 'Sitios'), icon: 'sites', group: '' },
    { href: '/panel/zonas', label: t('DNS zones', 'Zonas DNS'), icon: 'zones', group: '' },
  ]
}

export const accountPlace = (): Place => ({
  href: '/panel/cuenta',
  label: t('My account', 'Mi cuenta'),
  icon: 'account',
  group: '',
})
