import {
  type Contents,
  type FoundDatabase,
  type FoundSite,
  firstOf,
  type Left,
  Listing,
  linesOf,
  MOST_LINES,
  packingOf,
} from './contents.ts'

/** Files of Hestia (`hestia/`) and of Vesta (`vesta/`), by the layout of `v-backup-user`. */
const META = '(?:hestia|vesta)'
const TEXTS = new RegExp(
  `^(?:web/[^/]+/${META}/web\\.conf|db/[^/]+/${META}/db\\.conf|dns/[^/]+/conf/[^/]+\\.db|cron/cron\\.conf|mail/[^/]+/${META}/[^/]+\\.conf)$`,
)
const KEPT =
  /^(?:web\/[^/]+\/domain_data\.tar(?:\.gz|\.zst)?|db\/[^/]+\/[^/]+\.sql(?:\.gz|\.zst)?|user_dirs\/[^/]+)$/

const INNER = /^web\/[^/]+\/domain_data\.tar(?:\.gz|\.zst)?$/

export const hestiaListing = (): Listing => new Listing({ texts: TEXTS, kept: KEPT, inner: INNER })

/** What an archive of Hestia or Vesta holds. */
export function hestiaContents(listing: Listing): Contents {
  const webs = [...lines(listing, /^web\/[^/]+\/[a-z]+\/web\.conf$/)]
  const found = webs.map((web) => siteOf(listing, web))
  const databases = [...lines(listing, /^db\/[^/]+\/[a-z]+\/db\.conf$/)].map((db) => databaseOf(listing, db))
  return {
    sites: found.filter((one) => 'domain' in one),
    databases: databases.filter((one) => 'member' in one),
    zones: zonesOf(listing),
    tasks: [...lines(listing, /^cron\/cron\.conf$/)].flatMap((job) => taskOf(job)),
    homes: webs.flatMap(homesOf),
    left: [
      ...found.filter((one) => 'why' in one),
      ...databases.filter((one) => 'why' in one),
      ...webs.flatMap(leftOfSite),
      ...mailOf(listing),
      ...listing
        .below('user_dirs')
        .slice(0, MOST_LINES)
        .map((name): Left => ({ kind: 'archivos', name, why: 'no_se_importa' })),
    ],
  }
}

type Words = Record<string, string>

/** Lines of `NAME='value'`, as its scripts write them: a quote within a value is `%quote%`. */
function* lines({ texts }: Listing, path: RegExp): Generator<Words> {
  for (const [name, text] of texts) {
    if (!path.test(name)) continue
    for (const line of linesOf(text)) {
      // A name that begins anywhere within a longer one would take the square of its length.
      const words = [...line.matchAll(/(?<![A-Z0-9_])([A-Z][A-Z0-9_]*)='([^']*)'/g)]
      if (words.length === 0) continue
      yield Object.fromEntries(
        words.map(([, key = '', value = '']) => [key, value.replaceAll('%quote%', "'")]),
      )
    }
  }
}

/** Below `/home/<user>/web/<domain>/`; another folder than `public_html` is told by its whole path. */
const ROOT = /^(?:\/home\/[^/]+\/web\/[^/]+\/)?(public_html(?:\/[^/]+)*)\/*$/

function siteOf(listing: Listing, web: Words): FoundSite | Left {
  const { DOMAIN = '', ALIAS = '', BACKEND = '', CUSTOM_DOCROOT = '', AUTH_USER = '' } = web
  const member = listing.packed(`web/${DOMAIN}/domain_data.tar`)
  if (member === undefined) return { kind: 'sitio', name: DOMAIN, why: 'sin_contenido' }
  const [, folder = 'public_html'] = ROOT.exec(CUSTOM_DOCROOT) ?? []
  const content = { member, folder, without: [] }
  return {
    domain: DOMAIN,
    aliases: ALIAS.split(',').filter((one) => one !== ''),
    php: /^PHP-(\d+)_(\d+)$/i.exec(BACKEND)?.slice(1).join('.') ?? null,
    content,
    bytes: listing.files.get(member) ?? null,
    rules: listing.rulesOf(content),
    asked: AUTH_USER.split(':').filter((one) => one !== ''),
  }
}

/** Directories of the old server that a site's tasks name. */
function homesOf({ DOMAIN = '', CUSTOM_DOCROOT = '' }: Words): Contents['homes'] {
  const [, folder = 'public_html'] = ROOT.exec(CUSTOM_DOCROOT) ?? []
  return [{ path: `web/${DOMAIN}/${folder}`, domain: DOMAIN }]
}

function databaseOf(listing: Listing, { DB = '', TYPE = '' }: Words): FoundDatabase | Left {
  if (TYPE !== 'mysql') return { kind: 'base', name: DB, why: 'motor_no_admitido' }
  const member = listing.packed(`db/${DB}/${DB}.mysql.sql`)
  if (member === undefined) return { kind: 'base', name: DB, why: 'sin_contenido' }
  return { name: DB, member, packing: packingOf(member), bytes: listing.files.get(member) ?? 0 }
}

function zonesOf({ texts }: Listing): Contents['zones'] {
  return [...texts].flatMap(([path, text]) => {
    const [, name] = /^dns\/([^/]+)\/conf\/\1\.db$/.exec(path) ?? []
    return name === undefined ? [] : [{ name, text }]
  })
}

function taskOf({ MIN, HOUR, DAY, MONTH, WDAY, CMD, SUSPENDED }: Words): Contents['tasks'] {
  if (CMD === undefined || SUSPENDED === 'yes') return []
  return [{ pattern: [MIN, HOUR, DAY, MONTH, WDAY].join(' '), command: CMD }]
}

function leftOfSite({ DOMAIN = '', FTP_USER = '', SSL = '' }: Words): Left[] {
  const accounts = FTP_USER.split(':').filter((one) => one !== '')
  return [
    ...accounts.map((name): Left => ({ kind: 'ftp', name, why: 'no_se_importa' })),
    ...(SSL === 'yes' ? [{ kind: 'ssl' as const, name: DOMAIN, why: 'certificado_nuevo' }] : []),
  ]
}

/** `<domain>.conf` holds the accounts of a domain, one a line. */
function mailOf({ texts }: Listing): Left[] {
  return firstOf(texts, ([path, text]) => {
    const [, domain] = /^mail\/([^/]+)\/[a-z]+\/\1\.conf$/.exec(path) ?? []
    if (domain === undefined) return []
    return [...text.matchAll(/ACCOUNT='([^']+)'/g).take(MOST_LINES)].map(
      ([, account]): Left => ({ kind: 'correo', name: `${account}@${domain}`, why: 'no_se_importa' }),
    )
  })
}
