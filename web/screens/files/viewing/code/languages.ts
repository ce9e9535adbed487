import type { LanguageSupport } from '@codemirror/language'

type Load = () => Promise<LanguageSupport>

/** Each language comes with the first file of its kind. */
const LANGUAGES: [RegExp, Load][] = [
  [/\.(?:php\d?|phtml|inc)$/i, async () => (await import('@codemirror/lang-php')).php()],
  [/\.(?:html?|xhtml|svg|xml)$/i, async () => (await import('@codemirror/lang-html')).html()],
  [/\.(?:css|scss|less)$/i, async () => (await import('@codemirror/lang-css')).css()],
  [
    /\.(?:[cm]?[jt]sx?)$/i,
    async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  ],
  [/\.(?:json|webmanifest|map)$/i, async () => (await import('@codemirror/lang-json')).json()],
  [/\.ya?ml$/i, async () => (await import('@codemirror/lang-yaml')).yaml()],
  [
    /\.sql$/i,
    async () => {
      const { MariaSQL, sql } = await import('@codemirror/lang-sql')
      return sql({ dialect: MariaSQL })
    },
  ],
  [/\.(?:md|markdown)$/i, async () => (await import('@codemirror/lang-markdown')).markdown()],
]

/** The language of a file by its name; null for one that is shown plain. */
export const languageOf = (name: string): Load | null =>
  LANGUAGES.find(([pattern]) => pattern.test(name))?.[1] ?? null
