/** Operations that only a person may call, from the handlers' own `access`; put in by web/build.ts. */
declare const PERSON_ONLY: readonly string[]

/** The files that each screen needs besides the interface itself, by its path below web/screens; also put in there. */
declare const PARTS: Record<string, string[]>

/** What the page's first script (web/boot) has begun: the renewal, until it is taken up, and the files of all screens. */
declare var boot: { renewal: Promise<Response> | null; parts: string[] } | undefined

declare module '*.css'
declare module 'theme:variables.css'
