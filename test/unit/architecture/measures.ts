import { dirname } from 'node:path'
import ts from 'typescript5'
import { fullPath } from '../../../deploy/http/docs.ts'
import { handlers } from '../../../handlers/index.ts'
import { openApi } from '../../../lib/endpoint/openapi/document.ts'
import { circlesOf } from './circles.ts'
import { neighboursOf, nodesOf, sources, testSources } from './source.ts'

/** How often each file or room breaks a rule; those that keep it are left out. */
export type Breaches = Record<string, number>

const ROOM_MAX = 15
const FUNCTION_MAX = 40
const SCREEN_MAX = 80
const PARAMETERS_MAX = 3

/** One file a provider, and one an idea of the mirror, which is one piece of work. */
const LARGE_ROOMS = ['lib/providers', 'lib/mirror']

/** The one write that is whole or not at all. */
const ATOMIC_WRITE = 'deploy/node/host/files.ts'
/** Renames that give no file a new content, with what they do. */
const OTHER_RENAMES: Record<string, string> = {
  'deploy/node/web/logs.ts': 'puts a full log aside, while its program goes on writing into it',
  'deploy/node/php/logs.ts':
    'puts a full log aside, in a directory of the customer that nothing of root may write into',
  'deploy/node/logs/php.ts':
    'takes a log from where PHP writes it, in a directory of the customer that nothing of root may write into',
  'deploy/node/trash/close-tree.ts': 'gives a deleted directory a name that an argument can hold',
}

/** The rooms of lib: each may import its own layer and those before it. */
const LAYERS = [
  // Who wrote what is a part of each request.
  ['endpoint', 'store', 'secrets', 'text', 'audit'],
  ['work', 'nodes', 'mail', 'appearance'],
  ['identity', 'sign-in', 'passkeys', 'clients', 'plans'],
  ['dns', 'sites', 'databases', 'sftp', 'usage', 'proof', 'providers', 'resolver'],
  [
    'mirror',
    'provisions',
    'schedules',
    'files',
    'loads',
    'trash',
    'applications',
    'backups',
    'logs',
    'events',
    'updates',
  ],
  // A client takes all of that along.
  ['moves', 'imports', 'htaccess', 'webhooks'],
  // A look over everything.
  ['summary', 'metrics'],
]

/** Where the wire's Spanish names belong. */
const SPANISH = /^handlers\/|^schema\/|^lib\/text\/|(shapes|view|fields|errors)\.ts$|^lib\/endpoint\/openapi/
/** Words of the wire that are English too. */
const ALSO_ENGLISH =
  'actor algorithm aliases allow attachment attestation authenticator base bytes cache client cpu data detail dmarc dns dnssec domain error extension factor handle host html https input json key logo max object panel php plan public raw resolver response results sftp signature socket solo spf status title token tokens total totp transports ttl type unicode uri url user vars version web'

const count = (measure: (file: ts.SourceFile, path: string) => number, files = sources): Breaches =>
  Object.fromEntries(
    [...files]
      .map(([path, file]) => [path, measure(file, path)] as const)
      .filter(([, breaches]) => breaches > 0),
  )

const functionsOf = (file: ts.SourceFile) =>
  nodesOf(file)
    .filter(ts.isFunctionLike)
    .filter((node) => 'body' in node && node.body)

export const MEASURES: Record<string, () => Breaches> = {
  [`files of a room beyond ${ROOM_MAX}, and all at the root of lib`]: () => {
    const rooms = Object.groupBy(sources.keys(), dirname)
    const excess = Object.entries(rooms)
      .filter(([room]) => !LARGE_ROOMS.includes(room))
      .map(([room, files = []]) => [room, room === 'lib' ? files.length : files.length - ROOM_MAX] as const)
    return Object.fromEntries(excess.filter(([, files]) => files > 0))
  },

  [`functions of more than ${FUNCTION_MAX} lines, screens of more than ${SCREEN_MAX}`]: () =>
    count((file, path) => {
      const most = path.endsWith('.tsx') ? SCREEN_MAX : FUNCTION_MAX
      return functionsOf(file).filter((node) => node.getText(file).split('\n').length > most).length
    }),

  [`functions of more than ${PARAMETERS_MAX} parameters`]: () =>
    count((file) => functionsOf(file).filter(({ parameters }) => parameters.length > PARAMETERS_MAX).length),

  'parameters that are a list, so as to count as one': () =>
    count((file) => functionsOf(file).flatMap(({ parameters }) => parameters.filter(isList)).length),

  'renames beside the atomic write': () =>
    count((file, path) => {
      const calls = nodesOf(file).filter(ts.isCallExpression)
      const renames = calls.filter(({ expression }) =>
        /^(fs\.)?rename(Sync)?$/.test(expression.getText(file)),
      )
      return path === ATOMIC_WRITE || path in OTHER_RENAMES ? 0 : renames.length
    }),

  'names in Spanish outside of wire schemas, views and texts': () => {
    const spanish = spanishWords()
    return count((file, path) => {
      if (SPANISH.test(path) || path.startsWith('web/')) return 0
      const names = new Set(
        nodesOf(file)
          .filter(ts.isIdentifier)
          .map(({ text }) => text),
      )
      return [...names].filter((name) => wordsOf(name).some((word) => spanish.has(word))).length
    })
  },

  'files in a circle of imports, types included': () => {
    const circles = circlesOf(new Map([...sources.keys()].map((path) => [path, neighboursOf(path)])))
    return count((_, path) => circles.get(path)?.length ?? 0)
  },

  'imports of a room of lib that lies above': () =>
    count((_, path) => neighboursOf(path).filter((other) => layerOf(other) > layerOf(path)).length),

  'types that are silenced, in tests too': () =>
    count(
      (file) => nodesOf(file).filter(isSilenced).length + (file.text.match(SILENCED_LINES) ?? []).length,
      new Map([...sources, ...testSources(/\bas unknown as\b|\bany\b|@ts-/)]),
    ),

  'lists of states that stand in schema/ already': () => {
    const owned = new Set(
      [...sources].filter(([path]) => path.startsWith('schema/')).flatMap(([, file]) => listsOf(file)),
    )
    return count((file, path) =>
      path.startsWith('schema/') ? 0 : listsOf(file).filter((list) => owned.has(list)).length,
    )
  },
}

/** `any`, and a value that is claimed to be of a type with which it has nothing in common. */
const isSilenced = (node: ts.Node) =>
  node.kind === ts.SyntaxKind.AnyKeyword ||
  (ts.isAsExpression(node) &&
    ts.isAsExpression(node.expression) &&
    node.expression.type.kind === ts.SyntaxKind.UnknownKeyword)
const SILENCED_LINES = /^\s*\/\/ @ts-/gm

/** Whether a rest parameter names each of its members: `...[a, b]` or `...both: [A, B]`. */
const isList = ({ dotDotDotToken, name, type }: ts.ParameterDeclaration) =>
  dotDotDotToken !== undefined &&
  (ts.isArrayBindingPattern(name) || (type !== undefined && ts.isTupleTypeNode(type)))

/** Where a file of lib stands; what is outside of lib stands above everything that lib imports. */
function layerOf(path: string): number {
  const [folder, room = ''] = path.split('/')
  if (folder === 'schema') return -1
  const layer = folder === 'lib' ? LAYERS.findIndex((rooms) => rooms.includes(room)) : LAYERS.length
  if (layer < 0) throw new Error(`${path} is in a room without a place in LAYERS`)
  return layer
}

/** The words of all field names and states of the API. */
function spanishWords(): Set<string> {
  const words = new Set<string>()
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('properties' in part)
      for (const name of Object.keys(part.properties ?? {}))
        wordsOf(name).forEach((word) => void words.add(word))
    Object.values(part).forEach(collect)
  }
  collect(openApi(handlers, { origin: 'https://panel.es', version: '0', fullPath }))
  for (const word of words) if (word.length < 3 || ALSO_ENGLISH.split(' ').includes(word)) words.delete(word)
  return words
}

const wordsOf = (name: string) => name.split(/_|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())

/** The lists of three or more words in a file, as an array or as a union type, each in one order. */
function listsOf(file: ts.SourceFile): string[] {
  return nodesOf(file)
    .map((node) => {
      if (ts.isArrayLiteralExpression(node)) return node.elements.map(wordOf)
      if (!ts.isUnionTypeNode(node)) return []
      return node.types.filter(ts.isLiteralTypeNode).map(({ literal }) => wordOf(literal))
    })
    .filter((words) => words.length >= 3 && words.every((word) => /^[a-z_]+$/.test(word)))
    .map((words) => words.sort().join(' '))
}

const wordOf = (node: ts.Node) => (ts.isStringLiteral(node) ? node.text : '')
