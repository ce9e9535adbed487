import * as v from 'valibot'
import type { SiteErrorPages, SiteRedirect } from '../../schema/clients.ts'
import { PAGE_STATUSES } from '../../schema/states.ts'
import { named, told } from '../endpoint/fields.ts'
import { canonicalDestination, isPageAddress, siteAddress } from '../text/addresses.ts'

/** The settings of a site that tell how its addresses are answered, as they are sent and shown. */

export const REDIRECTS_MAX = 200
export const GUARDS_MAX = 200
/** Levels of an address that rules for all below it may have: the web server tries each of them. */
export const LEVELS_MAX = 4
export const REDIRECT_STATUSES = [301, 302, 307, 308]

const ROOT =
  /^(?=.{1,200}$)(?!registros(?:\/|$))[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*\/?$/
const levelsOf = (path: string) => path.split('/').filter((one) => one !== '').length

export const webRootInput = v.pipe(
  v.string(),
  v.regex(ROOT, 'raiz_web_invalida'),
  v.metadata({
    description:
      "The folder that is served, below the site's own: nothing above it is. `public` and what is below it is the customer's to make; another name gets a folder beside it.",
    examples: ['public/web'],
  }),
  v.transform((path) => path.replace(/\/$/, '')),
)

const from = v.pipe(
  v.string(),
  v.maxLength(1000, 'ruta_de_sitio_invalida'),
  v.metadata({
    description: `An address of the site, without a query. With \`/*\` at its end, of at most ${LEVELS_MAX} levels before that, it stands for all below it too; the nearest rule counts.`,
    examples: ['/tienda/*'],
  }),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const takesAll = dataset.value.endsWith('/*')
    const path = siteAddress(takesAll ? dataset.value.slice(0, -2) || '/' : dataset.value)
    if (path !== null && !(takesAll && levelsOf(path) > LEVELS_MAX)) {
      return takesAll ? `${path === '/' ? '' : path}/*` : path
    }
    addIssue({ message: 'ruta_de_sitio_invalida' })
    return NEVER
  }),
)
const to = v.pipe(
  v.string(),
  v.maxLength(1000, 'destino_de_redireccion_invalido'),
  v.metadata({
    description:
      'An address of the site, from `/`, or a whole one of `http` or `https`. With `/*` at the end of its path the rest of the address follows. The query is kept unless it has one.',
    examples: ['https://tienda.ejemplo.es/*'],
  }),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const canonical = canonicalDestination(dataset.value)
    if (canonical !== null) return canonical
    addIssue({ message: 'destino_de_redireccion_invalido' })
    return NEVER
  }),
)
const status = told(
  v.picklist(REDIRECT_STATUSES, 'codigo_de_redireccion_invalido'),
  '301 and 308 are for good, 302 and 307 for now; 307 and 308 keep the method.',
  301,
)

/** Whether a redirect leads to an address that it is itself for. */
function isCircle({ de, a }: { de: string; a: string }): boolean {
  const [path = ''] = a.split(/[?#]/, 1)
  const own = siteAddress(path.replace(/\/\*$/, ''))
  if (own === null) return false
  return de.endsWith('/*') ? `${own}/`.startsWith(de.slice(0, -1)) : own === de
}

export const redirectsInput = told(
  v.pipe(
    v.array(
      v.pipe(
        v.strictObject({ de: from, a: to, codigo: v.optional(status, 301) }),
        v.check((one) => !isCircle(one), 'redireccion_en_circulo'),
      ),
    ),
    v.maxLength(REDIRECTS_MAX, 'demasiadas_redirecciones'),
    v.check((list) => new Set(list.map(({ de }) => de)).size === list.length, 'ruta_repetida'),
  ),
  'Addresses that lead elsewhere, before any file is looked for. It is set as a whole.',
  [{ de: '/tienda/*', a: 'https://tienda.ejemplo.es/*', codigo: 301 }],
)

export const guardPath = v.pipe(
  v.string(),
  v.maxLength(1000, 'ruta_protegida_invalida'),
  v.metadata({
    description: `An address of the site as visitors see it, without the folder that is served, and all below it; of at most ${LEVELS_MAX} levels; \`/\` is the whole site.`,
    examples: ['/privado'],
  }),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const path = siteAddress(dataset.value)
    if (path !== null && levelsOf(path) <= LEVELS_MAX) return path
    addIssue({ message: 'ruta_protegida_invalida' })
    return NEVER
  }),
)
const user = told(
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9._@-]{1,64}$/, 'usuario_de_ruta_invalido')),
  'Who gets in.',
  'ana',
)

export const guardsInput = told(
  v.pipe(
    v.array(v.strictObject({ ruta: guardPath, usuario: user })),
    v.maxLength(GUARDS_MAX, 'demasiadas_protegidas'),
    v.check((list) => new Set(list.map(({ ruta }) => ruta)).size === list.length, 'ruta_repetida'),
  ),
  'Parts of the site that ask for a user and a password, and that no cache keeps. Each lets nobody in until its password was made; a password stays with its path and user. It is set as a whole.',
  [{ ruta: '/privado', usuario: 'ana' }],
)

export const singlePageInput = told(
  v.boolean(),
  'Whether addresses of no file are answered by `index.html`, for applications of a single page; parts of a page, such as styles and scripts, are not.',
  false,
)

/** What a name of an index has: no program but PHP's, and nothing that is never served. */
const INDEX_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}\.(?:html?|xhtml|shtml|php)$/
const INDEXES_MAX = 8
/** They become part of a file's name on the node. */
const INDEXES_LENGTH_MAX = 120
/** What answers for a folder where a site says nothing; the web server's configuration says the same. */
const ORDINARY_INDEX = ['index.php', 'index.html', 'index.htm']

const indexNames = v.pipe(
  v.array(v.pipe(v.string(), v.regex(INDEX_NAME, 'indice_invalido'))),
  v.minLength(1, 'indice_invalido'),
  v.maxLength(INDEXES_MAX, 'demasiados_indices'),
  v.check((list) => list.join().length <= INDEXES_LENGTH_MAX, 'demasiados_indices'),
  v.check((list) => new Set(list).size === list.length, 'indice_repetido'),
)
export const indexInput = told(
  v.nullable(indexNames),
  'The names of files that answer for a folder, the first that is there; null for what all sites have. A folder with none of them is not shown.',
  ['home.html', 'index.php'],
)
export const indexRow = (sent: string[] | null): string[] | null =>
  sent === null || sent.join() === ORDINARY_INDEX.join() ? null : sent
export const indexView = (row: string[] | null): string[] => row ?? ORDINARY_INDEX

const page = (what: string, example: string) =>
  v.optional(told(v.pipe(v.string(), v.check(isPageAddress, 'pagina_de_error_invalida')), what, example))

const pages = v.strictObject({
  403: page('For what is not shown, such as a folder without an index.', '/errores/403.html'),
  404: page('For what is not there.', '/errores/404.html'),
  500: page(
    'For a program that fails: in place of what it answers itself with 500, unless the page cache is on for it.',
    '/errores/500.html',
  ),
  503: page('For a site whose programs do not answer.', '/errores/503.html'),
})

export const errorPagesShape = named(
  'PaginasError',
  "Pages of the site's own for errors: addresses of its `.html` files.",
  pages,
)

export const errorPagesInput = told(
  pages,
  "Pages of the site's own for errors, answered with their status: addresses of its `.html` files. What is left out, and a file that is not there, is the panel's page. What programs answer themselves stays theirs, but for 500. It is set as a whole; `{}` is none.",
  { 404: '/errores/404.html' },
)

export const redirectShape = named(
  'Redireccion',
  'An address that leads elsewhere.',
  v.strictObject({
    de: told(v.string(), 'The address.', '/tienda/*'),
    a: told(v.string(), 'Where it leads.', 'https://tienda.ejemplo.es/*'),
    codigo: told(v.number(), 'The status of the answer.', 301),
  }),
)
export const guardShape = named(
  'RutaProtegida',
  'A part of a site that asks for a password.',
  v.strictObject({
    ruta: told(v.string(), 'Its address.', '/privado'),
    usuario: told(v.string(), 'Who gets in.', 'ana'),
    con_contrasena: told(v.boolean(), 'Whether its password was made; nobody gets in before.', true),
  }),
)

type Sent = v.InferOutput<typeof redirectsInput>

export const redirectRows = (sent: Sent): SiteRedirect[] =>
  sent.map(({ de, a, codigo }) => ({ from: de, to: a, status: codigo }))
export const redirectsView = (rows: SiteRedirect[] | null): v.InferOutput<typeof redirectShape>[] =>
  (rows ?? []).map(({ from: de, to: a, status: codigo }) => ({ de, a, codigo }))

export const guardRows = (sent: v.InferOutput<typeof guardsInput>): { path: string; user: string }[] =>
  sent.map(({ ruta: path, usuario: user }) => ({ path, user }))
/** From what the database gathers of a site's rows. */
export const guardsView = (rows: { path: string; user: string; hasSecret: number }[]) =>
  rows.map(({ path, user, hasSecret }) => ({ ruta: path, usuario: user, con_contrasena: hasSecret === 1 }))

type Pages = v.InferOutput<typeof errorPagesShape>

export const errorPageRow = (sent: Pages): SiteErrorPages | null =>
  Object.keys(sent).length === 0 ? null : errorPagesView(sent)
export const errorPagesView = (pages: SiteErrorPages | null): Pages => {
  const known = PAGE_STATUSES.flatMap((status) => (pages?.[status] ? [[status, pages[status]]] : []))
  return Object.fromEntries(known)
}
