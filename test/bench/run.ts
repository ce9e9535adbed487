import { readdirSync } from 'node:fs'
import { compare } from './_compare.ts'

/** `bun run bench NAME…`: runs the named benchmarks, or lists them. Each prints ratios measured in its one run. */
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && !file.startsWith('_'))
  .map((file) => file.slice(0, -3))
const wanted = process.argv.slice(2)
if (wanted[0] === 'compare') process.exit((await compare(wanted.slice(1))) ? 0 : 1)
const unknown = wanted.filter((name) => !names.includes(name))
if (wanted.length === 0 || unknown.length > 0) {
  console.log(`usage: bun run bench NAME…\n  ${names.join('\n  ')}`)
  console.log('       bun run bench compare [COMMIT] [NAME…] [--strict]')
  process.exit(unknown.length > 0 ? 2 : 0)
}
for (const name of wanted) {
  console.log(`== ${name}`)
  const bench = (await import(`./${name}.ts`)) as { run(): Promise<void> }
  await bench.run()
}
process.exit(0)
