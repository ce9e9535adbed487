import { common } from '../../text/common.ts'
import type { IconName } from '../../ui/icons.tsx'
import { texts } from './texts.ts'

export type Place = { href: string; label: string; icon: IconName; group: string }

/** Where an admin can go. */
export function adminPlaces(): Place[] {
  const hosting = texts.hosting
  const dns = 'DNS'
  const panel = texts.panel
  const operation = common.operation
  return [
    { href: '/panel', label: common.overview, icon: 'overview', group: '' },
    { href: '/panel/clientes', label: common.clients, icon: 'clients', group: hosting },
    { href: '/panel/sitios', label: common.sites, icon: 'sites', group: hosting },
    { href: '/panel/planes', label: common.plans, icon: 'plans', group: hosting },
    { href: '/panel/papelera', label: common.bin, icon: 'trash', group: hosting },
    { href: '/panel/importar', label: texts.import, icon: 'download', group: hosting },
    { href: '/panel/zonas', label: common.zones, icon: 'zones', group: dns },
    {
      href: '/panel/espejo',
      label: common.providerAndMirror,
      icon: 'mirror',
      group: dns,
    },
    { href: '/panel/tokens', label: common.apiTokens, icon: 'token', group: panel },
    { href: '/panel/avisos', label: 'Webhooks', icon: 'bell', group: panel },
    { href: '/panel/personas', label: texts.persons, icon: 'persons', group: panel },
    { href: '/panel/apariencia', label: texts.appearance, icon: 'eye', group: panel },
    { href: '/panel/auditoria', label: common.auditTrail, icon: 'audit', group: panel },
    { href: '/panel/tareas', label: common.jobs, icon: 'jobs', group: operation },
    {
      href: '/panel/nodos',
      label: common.nodeAndServices,
      icon: 'node',
      group: operation,
    },
  ]
}

/** Where a customer can go. */
export function customerPlaces(): Place[] {
  return [
    { href: '/panel', label: texts.home, icon: 'overview', group: '' },
    { href: '/panel/sitios', label: common.sites, icon: 'sites', group: '' },
    { href: '/panel/bases', label: common.databases, icon: 'databases', group: '' },
    { href: '/panel/sftp', label: texts.sftpAccess, icon: 'upload', group: '' },
    { href: '/panel/copias', label: common.copies, icon: 'undo', group: '' },
    { href: '/panel/papelera', label: common.bin, icon: 'trash', group: '' },
    { href: '/panel/zonas', label: common.dnsZones, icon: 'zones', group: '' },
  ]
}

export const accountPlace = (): Place => ({
  href: '/panel/cuenta',
  label: common.myAccount,
  icon: 'account',
  group: '',
})
