/** Operations that only a person may call, from the handlers' own `access`; put in by web/build.ts. */
declare const PERSON_ONLY: readonly string[]

declare module '*.css'
declare module 'theme:variables.css'
