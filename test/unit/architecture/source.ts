import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
// TypeScript 7 has no interface for programs yet.
import ts from 'typescript5'

const ROOT = resolve(import.meta.dir, '../../..')
const FOLDERS = ['schema', 'lib', 'handlers', 'deploy', 'web']

/** Every source file outside of test/, by its path from the root. */
export const sources: ReadonlyMap<string, ts.SourceFile> = new Map(
  FOLDERS.flatMap(filesOf).map((path) => [path, parse(path, textOf(path))]),
)

/** The files of tests whose text has what is looked for: few, since to parse all of them takes seconds. */
export const testSources = (having: RegExp): [string, ts.SourceFile][] =>
  filesOf('test').flatMap((path) => {
    const text = textOf(path)
    return having.test(text) ? [[path, parse(path, text)]] : []
  })

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => /\.tsx?$/.test(path))
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

const walked = new Map<ts.SourceFile, ts.Node[]>()

/** Every node of a file. */
export function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes = walked.get(file) ?? []
  if (nodes.length === 0) collect(file, nodes)
  walked.set(file, nodes)
  return nodes
}

function collect(node: ts.Node, into: ts.Node[]): void {
  into.push(node)
  ts.forEachChild(node, (child) => collect(child, into))
}

/** What a file imports by name, as types too: `import`, `export … from`, `import()`, `typeof import()`. */
export function importsOf(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    const named =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            ? node.arguments[0]
            : undefined
    return named && ts.isStringLiteral(named) ? [named.text] : []
  })
}

/** The source files that a file imports. */
export function neighboursOf(path: string): string[] {
  const file = sources.get(path)
  if (!file) return []
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name))
    .filter((target) => sources.has(target))
}
