import { bundle, type Entry } from '../../deploy/function/build.ts'

const bundles = new Map<Entry, Promise<string>>()

/** Each bundle is made once a test process. */
export function bundled(entry: Entry): Promise<string> {
  const made = bundles.get(entry) ?? bundle(entry)
  bundles.set(entry, made)
  return made
}
