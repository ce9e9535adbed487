import { expect, test } from 'bun:test'
import ts from 'typescript5'
import { nodesOf, sources } from './source.ts'

/** One name for one thing, whichever part of the panel tells it: whoever reads the log filters by these. */
const FIELDS =
  'address attempt cause client clients code ds failed job kind mail next node reason repaired request service site webhook zone'.split(
    ' ',
  )

/** The calls of a log with an event, and the names of the fields of each. */
const lines = [...sources].flatMap(([path, file]) =>
  nodesOf(file).flatMap((node) => {
    if (!ts.isCallExpression(node) || !/(?:^|\.)log$/.test(node.expression.getText(file))) return []
    const fields = node.arguments[2]
    if (node.arguments.length < 2 || node.expression.getText(file).startsWith('console.')) return []
    const literals = fields === undefined ? [] : nodesOfTree(fields).filter(ts.isObjectLiteralExpression)
    const names = literals.flatMap(({ properties }) =>
      properties.flatMap((one) => one.name?.getText(file) ?? []),
    )
    return [{ path, event: node.arguments[1]?.getText(file) ?? '', names }]
  }),
)

function nodesOfTree(node: ts.Node): ts.Node[] {
  const found = [node]
  ts.forEachChild(node, (child) => void found.push(...nodesOfTree(child)))
  return found
}

test('the lines of the log are found, so that the rule below can fail', () => {
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.find(({ event }) => event === "'bearer refused'")?.names).toEqual(['address'])
})

test('every line of the log calls a thing by the one English name that it has there', () => {
  const others = lines.flatMap(({ path, event, names }) =>
    names.filter((name) => !FIELDS.includes(name)).map((name) => `${path}: ${event} tells ${name}`),
  )
  expect(others).toEqual([])
})
