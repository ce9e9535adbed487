import type { KeptRows } from '../clients/kept.ts'

/** What one deleted site was set to. */
export type KeptSite = {
  site: KeptRows['sites'][number]
  /** Its names besides the domain, and whether each was proven. */
  aliases: { name: string; proven: boolean }[]
  guards: KeptRows['guards']
  tasks: Pick<KeptRows['tasks'][number], 'pattern' | 'argv' | 'active'>[]
  application: KeptRows['applications'][number] | null
}

/** Copies did not always hold guards and applications. */
type OlderRows = Omit<KeptRows, 'guards' | 'applications'> & Partial<KeptRows>

/** The settings of a site of an entry; null where none of this site were kept. */
export function keptSite(content: string | null, siteId: number): KeptSite | null {
  if (content === null) return null
  // Only root writes it, and dates of it are not used.
  const { sites, names, tasks, guards = [], applications = [] } = JSON.parse(content) as OlderRows
  const site = sites.find(({ id }) => id === siteId)
  if (site === undefined) return null
  const isOwn = (row: { siteId: number }) => row.siteId === siteId
  // What was being installed is not there as a whole.
  const whole = applications.find((one) => isOwn(one) && one.state !== 'instalando')
  return {
    site,
    aliases: names
      .filter((one) => isOwn(one) && one.alias)
      .map(({ name, provenAt }) => ({ name, proven: provenAt !== null })),
    guards: guards.filter(isOwn),
    tasks: tasks.filter(isOwn).map(({ pattern, argv, active }) => ({ pattern, argv, active })),
    application: whole ?? null,
  }
}

/** Which folder of a whole client's entry was which site's. */
export const formerSites = (content: string | null): { folder: string; domain: string }[] =>
  sitesIn(content).map(({ id, domain }) => ({ folder: String(id), domain }))

/** The number of the site of these settings that had this domain. */
export const formerSite = (content: string | null, domain: string): number | undefined =>
  sitesIn(content).find((site) => site.domain === domain)?.id

const sitesIn = (content: string | null): KeptRows['sites'] =>
  content === null ? [] : (JSON.parse(content) as KeptRows).sites
