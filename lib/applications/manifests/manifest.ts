import * as v from 'valibot'
import { APPLICATIONS } from '../../../schema/states.ts'

const word = v.pipe(v.string(), v.minLength(1))
/** Below the folder that is served, and never above it. */
const path = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/),
  v.check((text) => !text.split('/').includes('..')),
)
const absolute = v.pipe(v.string(), v.regex(/^(?:\/[A-Za-z0-9._-]+)+$/))
const expression = v.pipe(
  v.string(),
  v.check((text) => new RegExp(text) instanceof RegExp),
)
const argv = v.pipe(v.array(word), v.minLength(1))
const text = v.strictObject({ en: word, es: word })

/** What Debian's packages bring, and into which folder of the site. `only`: of its names, these alone. */
const part = v.strictObject({
  from: absolute,
  into: v.union([v.literal(''), path]),
  only: v.optional(v.array(path)),
})

/** All that the panel knows of an application, beside the PHP that works on it. */
export const manifestShape = v.strictObject({
  kind: v.picklist(APPLICATIONS),
  name: word,
  description: text,
  /** The oldest PHP that it runs on, and what that must have. */
  php: v.strictObject({ from: v.pipe(v.string(), v.regex(/^\d\.\d+$/)), extensions: v.array(word) }),
  /** How the name of its database begins, after the client's; null: it needs none. */
  database: v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2}$/))),
  /** Its own name of each language that `idioma` may name; null: they are called the same, and packages tell which. */
  languages: v.nullable(v.record(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/)), word)),
  /** `<kind>-<version>[-<language>].tar.gz` is an archive of its own. */
  archive: v.strictObject({ version: expression }),
  debian: v.strictObject({ packages: v.array(word), version: absolute, parts: v.array(part) }),
  /** What of a package is not put into sites. */
  left: v.array(path),
  /** Where a site's version stands, and how it reads. */
  version: v.strictObject({ file: path, pattern: expression }),
  /** The file that tells whose installation it is, and the one by which it is served. */
  settings: path,
  entry: path,
  /** Folders that are there from the beginning. */
  folders: v.array(path),
  /** Files made of templates, once it is installed; `renewed`: also by each update. */
  files: v.array(v.strictObject({ path, text: word, renewed: v.optional(v.boolean()) })),
  /** The program of its own that installs it; what it reads is a password that nobody knows. */
  installer: v.nullable(argv),
  /** What it does by the clock, below the folder that is served. */
  task: v.nullable(v.pipe(v.array(word), v.minLength(1))),
  update: v.strictObject({
    /** What an update leaves as it is; `.maintenance`, `.htaccess` and `.user.ini` are always left. */
    kept: v.array(path),
    /** Folders in which what the customer added stays beside what is new. */
    merged: v.array(path),
    /** What of the package is not taken for an update. */
    left: v.array(path),
    /** The program of its own that brings its database to the new version. */
    upgrade: v.nullable(argv),
  }),
  /** What can be done with it beyond installing and updating. */
  admits: v.array(v.picklist(['sesion', 'clonar'])),
  /** Where one signs in. */
  signIn: v.pipe(v.string(), v.startsWith('/')),
  welcome: v.strictObject({ en: word, es: word }),
})

export type Manifest = v.InferOutput<typeof manifestShape>
