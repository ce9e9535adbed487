import { AppError } from '../../endpoint/errors.ts'
import {
  type Contents,
  type FoundDatabase,
  type FoundSite,
  firstOf,
  type Left,
  Listing,
  linesOf,
  MOST,
} from './contents.ts'

/** Below the archive's own folder, `cpmove-<user>/` or `backup-<time>_<user>/`. */
const TEXTS =
  /^[^/]+\/(?:userdata\/[^/]+|dnszones\/[^/]+\.db|cron\/[^/]+|proftpdpasswd|mysql\.sql|va\/[^/]+|homedir\/etc\/[^/]+\/passwd)$/
const KEPT = /^[^/]+\/(?:mysql\/[^/]+\.sql|psql\/[^/]+\.tar|sslcerts\/[^/]+|homedir\/[^/]+)$/
/** Folders of a home that cPanel keeps for itself, and mail, which is told of as such. */
const OWN_FOLDER =
  /^(?:\.cpanel|\.cphorde|\.cl\.selector|\.caldav|\.spamassassin|\.trash|access-logs|cache|etc|logs|mail|ssl|tmp|www)$/
/** An account of cPanel's own, which serves its logs. */
const OWN_FTP = /_logs$/

const HOME = /^[^/]+\/homedir\//

export const cpanelListing = (): Listing => new Listing({ texts: TEXTS, kept: KEPT, home: HOME })

/** What an archive of cPanel holds, by its published layout. */
export function cpanelContents(listing: Listing): Contents {
  const top = [...listing.texts.keys()][0]?.split('/')[0] ?? ''
  const texts = new Map([...listing.texts].map(([path, text]) => [path.slice(top.length + 1), text]))
  const sites = sitesOf({ listing, texts, top })
  const databases = datadatabasesOf(listing, top)
  return {
    sites,
    databases,
    zones: [...texts].flatMap(([path, text]) => {
      const [, name] = /^dnszones\/([^/]+)\.db$/.exec(path) ?? []
      return name === undefined ? [] : [{ name, text }]
    }),
    tasks: [...texts].flatMap(([path, text]) => (path.startsWith('cron/') ? tasksOf(text) : [])),
    homes: sites.map(({ domain, content }) => ({
      path: content.folder.slice(`${top}/homedir/`.length),
      domain,
    })),
    left: [
      ...leftOf(listing, top),
      ...unserved(listing, { home: `${top}/homedir`, sites }),
      ...remoteUsers(texts.get('mysql.sql') ?? ''),
      ...ftpOf(texts),
      ...mailOf(texts),
    ],
  }
}

/** Without the slashes at its end. */
const DOCUMENT_ROOT = /^\/home\d*\/[^/]+\/(.*[^/])\/*$/
/** In letters: looking at each folder above one takes the square of its length. */
const LONGEST_ROOT = 512

type Read = { listing: Listing; texts: Map<string, string>; top: string }

/** The main domain and each subdomain has a file; an added domain is served by the subdomain that it names. */
function sitesOf({ listing, texts, top }: Read): FoundSite[] {
  const main = texts.get('userdata/main') ?? ''
  const added = mapIn(main, 'addon_domains')
  const owners = new Map(Object.entries(added).map(([domain, sub]) => [sub, domain]))
  const first = /^main_domain:\s*(\S+)/m.exec(main)?.[1]
  const served = [first ?? '', ...listIn(main, 'sub_domains')].filter((one) => one !== '')
  if (served.length > MOST) throw new AppError('archivo_peligroso')
  const found = [...new Set(served)].flatMap((sub) => {
    const about = pairs(texts.get(`userdata/${sub}`) ?? '')
    const [, folder] = DOCUMENT_ROOT.exec(about.documentroot ?? '') ?? []
    if (folder === undefined || folder.length > LONGEST_ROOT || folder.split('/').includes('..')) return []
    const domain = owners.get(sub) ?? sub
    const parked = sub === first ? listIn(main, 'parked_domains') : []
    const aliases = [...(about.serveralias ?? '').split(/\s+/), ...parked]
    const php =
      /^(?:ea|alt)-php(\d)(\d+)$/
        .exec(about.phpversion ?? '')
        ?.slice(1)
        .join('.') ?? null
    return { domain, aliases: aliases.filter((one) => one !== '' && one !== domain), php, folder }
  })
  return found.map(({ folder, ...site }) => {
    const whole = `${top}/homedir/${folder}`
    const inside = found.filter((other) => other.folder.startsWith(`${folder}/`))
    const without = inside.map((other) => `${top}/homedir/${other.folder}`)
    const content = { member: null, folder: whole, without }
    return {
      ...site,
      content,
      bytes: listing.folders.get(whole) ?? null,
      rules: listing.rulesOf(content),
      asked: [],
    }
  })
}

function datadatabasesOf({ files }: Listing, top: string): FoundDatabase[] {
  return [...files].flatMap(([member, bytes]) => {
    const [, name] = member.startsWith(`${top}/`) ? (/^[^/]+\/mysql\/([^/]+)\.sql$/.exec(member) ?? []) : []
    return name === undefined ? [] : [{ name, member, packing: 'none' as const, bytes }]
  })
}

/** A crontab: settings such as SHELL and comments are no tasks. */
const tasksOf = (text: string): Contents['tasks'] =>
  linesOf(text).flatMap((line) => {
    const [, five, command] = /^\s*((?:[^\s#=]\S*\s+){4}\S+)\s+(\S.*)$/.exec(line) ?? []
    if (five !== undefined && command !== undefined && /^[\d*]/.test(five))
      return [{ pattern: five.replace(/\s+/g, ' '), command }]
    const [, named = '', rest] = /^\s*@(\w+)\s+(\S.*)$/.exec(line) ?? []
    const pattern = NAMED[named]
    return rest === undefined || pattern === undefined ? [] : [{ pattern, command: rest }]
  })
const NAMED: Record<string, string | undefined> = {
  hourly: '0 * * * *',
  daily: '0 0 * * *',
  midnight: '0 0 * * *',
  weekly: '0 0 * * 0',
  monthly: '0 0 1 * *',
}

function leftOf({ files, folders }: Listing, top: string): Left[] {
  const of = (pattern: RegExp, kind: Left['kind'], why: string) =>
    firstOf(files.keys(), (path): Left[] => {
      const name = pattern.exec(path.slice(top.length + 1))?.[1]
      return name === undefined ? [] : [{ kind, name, why }]
    })
  return [
    ...of(/^psql\/([^/]+)\.tar$/, 'base', 'motor_no_admitido'),
    ...of(/^sslcerts\/([^/]+?)\.crt$/, 'ssl', 'certificado_nuevo'),
    ...(folders.has(`${top}/homedir/mail`)
      ? [{ kind: 'archivos' as const, name: 'mail', why: 'no_se_importa' }]
      : []),
  ]
}

/** What lies in a home and in no site's folder; a folder that holds one is looked into. */
function unserved(
  listing: Listing,
  { home, sites }: { home: string; sites: Pick<FoundSite, 'content'>[] },
): Left[] {
  const roots = new Set(sites.map(({ content }) => content.folder))
  const above = new Set([...roots].flatMap(foldersAbove))
  const inside = (folder: string): string[] =>
    listing.below(folder).flatMap((name) => {
      const path = `${folder}/${name}`
      if (roots.has(path) || (folder === home && OWN_FOLDER.test(name))) return []
      return above.has(path) ? inside(path) : [path]
    })
  return firstOf(inside(home), (path): Left[] => [
    { kind: 'archivos', name: path.slice(home.length + 1), why: 'no_se_importa' },
  ])
}

const foldersAbove = (path: string): string[] =>
  path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))

/** Users of databases who come from another machine; the sites' own reach theirs by its socket. */
function remoteUsers(text: string): Left[] {
  const found = linesOf(text).flatMap((line) => {
    const [, user, host] = /^GRANT .*? TO '([^'@]+)'@'([^']+)'/.exec(line) ?? []
    const isRemote = host !== undefined && !/^(?:localhost|127\.0\.0\.1|::1)$/.test(host)
    return user !== undefined && isRemote ? [`${user}@${host}`] : []
  })
  return [...new Set(found)].map((name) => ({ kind: 'usuario_de_base', name, why: 'no_se_importa' }))
}

const ftpOf = (texts: Read['texts']): Left[] =>
  linesOf(texts.get('proftpdpasswd') ?? '').flatMap((line): Left[] => {
    const name = line.split(':', 1)[0] ?? ''
    return name === '' || OWN_FTP.test(name) ? [] : [{ kind: 'ftp', name, why: 'no_se_importa' }]
  })

const mailOf = (texts: Read['texts']): Left[] =>
  firstOf(texts, ([path, text]) => {
    const [, domain] = /^homedir\/etc\/([^/]+)\/passwd$/.exec(path) ?? []
    if (domain === undefined) return []
    return linesOf(text).flatMap((line): Left[] => {
      const name = line.split(':', 1)[0] ?? ''
      return name === '' ? [] : [{ kind: 'correo', name: `${name}@${domain}`, why: 'no_se_importa' }]
    })
  })

/** The lines at the edge of the page: `key: value`. */
const pairs = (text: string): Record<string, string | undefined> =>
  Object.fromEntries(
    linesOf(text).flatMap((line) => {
      const [, key, value = ''] = /^([A-Za-z_]\w*):(.*)$/.exec(line) ?? []
      return key === undefined ? [] : [[key, bare(value.trim())]]
    }),
  )

/** The items of a list, or the pairs of a map, below a key of its YAML, which is as plain as this. */
function sectionOf(text: string, key: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trimEnd() === `${key}:`)
  if (start < 0) return []
  const after = lines.slice(start + 1)
  const end = after.findIndex((line) => !/^(?:[ \t]|- )/.test(line))
  return after.slice(0, end < 0 ? undefined : end)
}
const listIn = (text: string, key: string): string[] =>
  sectionOf(text, key)
    .flatMap((line) => /^\s*-\s+(\S+)\s*$/.exec(line)?.[1] ?? [])
    .map(bare)
const mapIn = (text: string, key: string): Record<string, string> =>
  Object.fromEntries(
    sectionOf(text, key).flatMap((line) => {
      const [, name, value] = /^\s+([^\s:]+):\s*(\S+)\s*$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[bare(name), bare(value)]]
    }),
  )
const bare = (text: string): string => text.replace(/^(['"])(.*)\1$/, '$2')
