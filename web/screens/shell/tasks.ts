import { useLocation } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { filesPath, sitePath, siteSettingsPath, zonePath } from '../../links.ts'
import type { IconName } from '../../ui/icons.tsx'
import { taskTexts as texts } from './task-texts.ts'

type Task = { key: string; label: string; words: string; icon: IconName; run: () => void }

/**
 * What a customer wants to get done, found by the words that people use for it. With one site or zone it leads into
 * that, else to the list of them.
 */
export function useTasks(enabled: boolean): Task[] {
  const [, navigate] = useLocation()
  const query = { limite: '2' }
  const sites = useRead('GET /api/sitios', { query }, { enabled }).data?.datos ?? []
  const zones = useRead('GET /api/zonas', { query }, { enabled }).data?.datos ?? []
  if (!enabled) return []
  const site = sites.length === 1 ? sites[0]?.domain : undefined
  const zone = zones.length === 1 ? zones[0]?.zona : undefined
  const ofSite = (path: (domain: string) => string) => (site ? path(site) : '/panel/sitios')
  const to = (key: keyof typeof texts, icon: IconName, href: string): Task => {
    const [label = '', words = ''] = texts[key].split(' | ')
    return { key: `task-${key}`, label, words, icon, run: () => navigate(href) }
  }
  return [
    to('mail', 'mail', zone ? zonePath(zone, 'correo') : '/panel/zonas'),
    to('password', 'lock', '/panel/cuenta'),
    to('phone', 'lock', '/panel/cuenta'),
    to('certificate', 'lock', ofSite(sitePath)),
    to('wordpress', 'plus', ofSite(sitePath)),
    to(
      'upload',
      'upload',
      ofSite((domain) => filesPath(domain)),
    ),
    to('openDatabase', 'databases', '/panel/bases'),
    to('php', 'edit', ofSite(siteSettingsPath)),
    to('redirect', 'edit', ofSite(siteSettingsPath)),
    to('protect', 'lock', ofSite(siteSettingsPath)),
    to('scheduled', 'jobs', ofSite(sitePath)),
    to('restore', 'undo', '/panel/copias'),
    to('deleteSite', 'trash', ofSite(sitePath)),
  ]
}
