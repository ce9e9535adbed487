import type { ApplicationKind } from '../../endpoint/ports/applications.ts'
import { dokuwiki } from './dokuwiki.ts'
import type { Manifest } from './manifest.ts'
import { mediawiki } from './mediawiki.ts'
import { wordpress } from './wordpress.ts'

/** The applications that the panel installs, in the order in which they are offered. */
export const MANIFESTS: Record<ApplicationKind, Manifest> = { wordpress, dokuwiki, mediawiki }

/** The application's own name of a language; English for one that it is not known to have. */
export const languageIn = ({ languages }: Manifest, wanted: string): string =>
  languages === null ? wanted : (languages[wanted] ?? languages.en_US ?? 'en')
