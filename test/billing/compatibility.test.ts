import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Engine } from 'php-parser'
import { MODULE, runPhp } from './php.ts'

/** PHP functions the module may call. All are in PHP 7.4 and none is deprecated up to 8.5; a new one is checked first. */
const FUNCTIONS_OF_74 = new Set(
  `array_intersect_key array_key_exists array_flip array_slice call_user_func ceil class_exists constant count curl_errno curl_error
  curl_exec curl_getinfo curl_init curl_setopt_array date defined filter_var function_exists get_class gmdate hash hrtime
  html_entity_decode htmlspecialchars implode in_array intdiv interface_exists is_array is_callable is_int is_object is_scalar is_string json_decode json_encode
  logModuleCall max method_exists min number_format preg_match preg_replace preg_split property_exists rawurlencode round rtrim sleep sprintf str_replace
  strcasecmp strcmp stripos strlen strncmp strpbrk strpos strtolower strtotime substr time trim`.split(/\s+/),
)

const files = [
  join(MODULE, 'controlpanel.php'),
  ...readdirSync(join(MODULE, 'lib')).map((name) => join(MODULE, 'lib', name)),
].filter((file) => file.endsWith('.php'))

type Node = { kind: string } & Record<string, unknown>

/** What in this source PHP 7.4 does not have. */
function newerThan74(source: string): string[] {
  let tree: unknown
  try {
    // As 8.4 too: what is an attribute there is a comment in 7.4, which swallows the rest of its line.
    tree = ['7.4', '8.4'].map((version) =>
      new Engine({ parser: { version, suppressErrors: false } }).parseCode(source, 'module.php'),
    )
  } catch (error) {
    return [String(error)]
  }
  const found: string[] = []
  visit(tree, (node) => {
    for (const [what, is] of Object.entries(NEWER)) if (is(node)) found.push(what)
    const called = node.kind === 'call' ? asNode(node.what) : null
    if (called?.kind === 'name' && !FUNCTIONS_OF_74.has(String(called.name).replace(/^\\/, ''))) {
      found.push(`function ${String(called.name)}`)
    }
  })
  return found
}

/** Syntax of 8.0 and later that the parser takes for 7.4 all the same. */
const NEWER: Record<string, (node: Node) => boolean> = {
  attribute: (node) => node.kind === 'attrgroup',
  'union or intersection type': (node) => /^(union|intersection)type$/.test(node.kind),
  'type of 8.x': (node) =>
    /^(name|typereference|staticreference)$/.test(node.kind) && TYPES_OF_8.has(String(node.raw ?? node.name)),
  'constructor promotion': (node) =>
    node.kind === 'parameter' && typeof node.flags === 'number' && node.flags > 0,
  readonly: (node) => node.readonly === true || node.isReadonly === true,
  'implicitly nullable parameter': (node) =>
    node.kind === 'parameter' &&
    node.type !== null &&
    node.nullable !== true &&
    asNode(node.value)?.kind === 'nullkeyword',
  'octal literal': (node) => node.kind === 'number' && /^0o/i.test(String(node.raw ?? node.value)),
  'new in an initializer': (node) => node.kind === 'parameter' && asNode(node.value)?.kind === 'new',
  'dynamic class constant': (node) =>
    node.kind === 'staticlookup' && asNode(node.offset)?.kind === 'encapsedpart',
}
const TYPES_OF_8 = new Set(['mixed', 'never', 'static', 'false', 'true', 'null'])

function asNode(value: unknown): Node | null {
  const isNode =
    typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
  return isNode ? (value as Node) : null // it has a kind, which is all that a node is
}

function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, on)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const node = asNode(value)
  if (node !== null) on(node)
  for (const [key, child] of Object.entries(value)) if (key !== 'loc') visit(child, on)
}

describe('PHP 7.4', () => {
  for (const file of files) {
    test(`has all syntax and functions of ${file.slice(MODULE.length + 1)}`, () => {
      expect(newerThan74(readFileSync(file, 'utf8'))).toEqual([])
    })
  }

  for (const [name, code] of Object.entries({
    match: '$a = match($b) { 1 => 2 };',
    'the nullsafe operator': '$a?->b;',
    'an attribute': '#[A] function f() {}',
    'an enum': 'enum A { case B; }',
    'a readonly property': 'class A { public readonly int $a; }',
    'a readonly class': 'readonly class A {}',
    'constructor promotion': 'class A { function __construct(private $a) {} }',
    'a union type': 'function f(int|string $a) {}',
    'a named argument': 'strlen(string: 1);',
    'a trailing comma in parameters': 'function f($a,) {}',
    'throw as an expression': '$a = $b ?? throw new E();',
    'catch without a variable': 'try {} catch (E) {}',
    'the static return type': 'class A { function f(): static {} }',
    'the never type': 'function f(): never {}',
    'the mixed type': 'function f(mixed $a) {}',
    'the null type': 'function f(): null {}',
    'a first-class callable': '$a = strlen(...);',
    'an octal literal': '$a = 0o17;',
    'new in an initializer': 'function f($a = new B()) {}',
    'a typed constant': 'class A { const int X = 1; }',
    'an implicitly nullable parameter, deprecated in 8.4': 'function f(int $a = null) {}',
    str_contains: '$a = str_contains($b, "c");',
    'array_is_list, even qualified': '$a = \\array_is_list($b);',
    'mb_substr, of an extension that may be missing': '$a = mb_substr($b, 0, 1);',
    'utf8_encode, deprecated in 8.2': '$a = utf8_encode($b);',
    'curl_close, deprecated in 8.5': 'curl_close($b);',
  })) {
    test(`does not have ${name}, and the check sees it`, () => {
      expect(newerThan74(`<?php ${code}`)).not.toEqual([])
    })
  }

  test('has the syntax that the module does use', () => {
    const code = 'class A { private ?int $x = null; } $f = static fn (?int $a): ?int => $a ?? 1;'
    expect(newerThan74(`<?php ${code}`)).toEqual([])
  })
})

test('nothing global is defined without the prefix of the module', async () => {
  const run = await runPhp({ calls: [], ca: null })
  expect(run.defined.length).toBeGreaterThan(20)
  expect(run.defined.filter((name) => !/^(controlpanel_|Controlpanel)[A-Za-z]+$/.test(name))).toEqual([])
})

test('the module turns verification on, and has no setting or branch that turns it off', () => {
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(code.match(/CURLOPT_SSL_VERIFYPEER => true,/g)).toHaveLength(1)
  expect(code.match(/CURLOPT_SSL_VERIFYHOST => 2,/g)).toHaveLength(1)
  expect(code.match(/CURLOPT_FOLLOWLOCATION => false,/g)).toHaveLength(1)
  expect(code.match(/SSL_VERIFY/g)).toHaveLength(2)
  expect(code).not.toMatch(/http:\/\/|serversecure|getenv|\$_(GET|POST|REQUEST|SERVER|ENV)/)
})

test('the time limits are 10 seconds to connect, 60 in all, 8 for the client area, 30 of waiting, 20 for the plans and 900 for a listing', async () => {
  const code = readFileSync(join(MODULE, 'lib/ControlpanelClient.php'), 'utf8')
  for (const [name, value] of Object.entries({
    CONNECT: 10,
    TOTAL: 60,
    CLIENT_AREA: 8,
    WAIT: 30,
    PLAN_LIST: 20,
    LISTING: 900,
  })) {
    expect(code).toContain(`public const ${name}_SECONDS = ${value};`)
  }
})

test('the files that the billing system shows are there and sound', () => {
  const about: unknown = JSON.parse(readFileSync(join(MODULE, 'whmcs.json'), 'utf8'))
  expect(about).toMatchObject({ type: 'whmcs-servers', name: 'controlpanel', logo: { filename: 'logo.png' } })
  const logo = readFileSync(join(MODULE, 'logo.png'))
  expect([...logo.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  expect(logo.length).toBeLessThan(10_000)
  expect(readdirSync(MODULE).sort()).toEqual([
    'README.md',
    'clientarea.tpl',
    'controlpanel.php',
    'lib',
    'logo.png',
    'whmcs.json',
  ])
})
