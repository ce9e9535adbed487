import { readFileSync } from 'node:fs'
import type { DesiredSite } from '../../../lib/endpoint/node-port.ts'
import { hasOwnCertificate, removeCertificates } from '../certificates/served.ts'
import { hostName, id, type Layout } from '../files/layout.ts'
import { hideHost, hideOthers, showHost } from '../files/shown.ts'
import { exists, readLink, removeFile, setLink, syncDirectory, writeWhole } from '../host/files.ts'
import { removeOtherRules, removeRules } from './rules/tree.ts'

export type SiteKey = { siteId: number; clientId: number }

/**
 * Brings the names of a site to what is wanted: each leads to its directory, names that it no longer has lead
 * nowhere, and a name that comes from elsewhere starts without that one's certificate. The names are noted
 * before they are linked, so that a killed change can still find all of them.
 */
export function setRoutes(layout: Layout, site: DesiredSite): void {
  const wanted = [...new Set([site.domain, ...site.aliases])].map(hostName)
  const before = manifestHosts(layout, site.siteId)
  const stale = before.filter((host) => !wanted.includes(host))
  if (wanted.some((host) => !before.includes(host))) writeManifest(layout, site, [...wanted, ...stale])
  for (const host of stale) dropHost(layout, site, host)
  const changed = wanted.filter((host) => addHost(layout, site, host))
  for (const host of wanted) showHost(layout, host)
  hideOthers(layout, site, wanted)
  if (stale.length > 0) writeManifest(layout, site, wanted)
  // One journal commit for all of them: an answered change must survive a power cut.
  if (changed.length + stale.length > 0) syncDirectory(layout.hosts)
  removeOtherRules(layout, site)
}

/** Answers whether the name led elsewhere before. */
function addHost(layout: Layout, site: DesiredSite, host: string): boolean {
  const [active, suspended] = [targetOf(site), suspendedTargetOf(site)]
  const path = layout.host(host)
  const certificate = layout.certificate(host)
  const current = readLink(path)
  // Whoever had the name last has taken its certificates along: what a name that leads nowhere has is the site's.
  if (current !== null && current !== active && current !== suspended) removeCertificates(layout, host)
  if (!hasOwnCertificate(layout, host)) setLink(layout.temporary, certificate, `s-${id(site.siteId)}`)
  setMark(layout, host, site.httpsOnly && !site.uncovered?.includes(host))
  const target = site.suspended ? suspended : active
  setLink(layout.temporary, path, target)
  return current !== target
}

function setMark(layout: Layout, host: string, httpsOnly: boolean): void {
  const path = layout.httpsOnlyMark(host)
  if (httpsOnly) setLink(layout.temporary, path, '.')
  else removeFile(path)
}

/**
 * Ends the serving of a site under all its names. A name that meanwhile leads to another site is left to it:
 * its new owner must not lose it to a late removal.
 */
export function removeRoutes(layout: Layout, site: SiteKey, hosts: string[]): void {
  const known = [...new Set([...hosts, ...manifestHosts(layout, site.siteId)])].map(hostName)
  for (const host of known) dropHost(layout, site, host)
  hideOthers(layout, site, [])
  syncDirectory(layout.hosts)
  removeRules(layout, site)
}

/** Removes these names where they lead to any site of the client or nowhere. */
export function dropClientHosts(layout: Layout, clientId: number, hosts: string[]): void {
  for (const host of hosts.map(hostName)) {
    const current = readLink(layout.host(host))
    const owned = [`../k/${clientId}/`, `../x/${clientId}/`].some((start) => current?.startsWith(start))
    if (current === null || owned) forgetHost(layout, host)
  }
}

/** Ends the serving of one name; where it leads to another site, that keeps it. */
export function dropName(layout: Layout, site: SiteKey, host: string): void {
  dropHost(layout, site, hostName(host))
  hideOthers(layout, site, manifestHosts(layout, site.siteId))
  syncDirectory(layout.hosts)
}

function dropHost(layout: Layout, site: SiteKey, host: string): void {
  const current = readLink(layout.host(host))
  if (current !== null && current !== targetOf(site) && current !== suspendedTargetOf(site)) return
  forgetHost(layout, host)
}

function forgetHost(layout: Layout, host: string): void {
  hideHost(layout, host)
  removeFile(layout.httpsOnlyMark(host))
  // Before the name itself: cut short in between, it must not leave a certificate for whoever takes the name next.
  removeCertificates(layout, host)
  removeFile(layout.host(host))
}

function targetOf(site: SiteKey): string {
  return `../k/${site.clientId}/${site.siteId}`
}

/** Where a site leads that is suspended by itself; its client's own suspension leads to the same place. */
function suspendedTargetOf(site: SiteKey): string {
  return `../x/${site.clientId}/${site.siteId}`
}

/** The names that a site has, or had before a change that did not end. */
function manifestHosts(layout: Layout, siteId: number): string[] {
  const path = layout.manifest(siteId)
  if (!exists(path)) return []
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const hosts = typeof value === 'object' && value !== null && 'hosts' in value ? value.hosts : []
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
}

function writeManifest(layout: Layout, site: SiteKey & { domain: string }, hosts: string[]): void {
  const { siteId, clientId, domain } = site
  const content = JSON.stringify({ siteId, clientId, domain, hosts })
  writeWhole({ path: layout.manifest(siteId), content, mode: 0o600 }, layout.temporary)
}
