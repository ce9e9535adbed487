import { eq, inArray } from 'drizzle-orm'
import { settings } from '../../../schema/tables.ts'
import type { Db, Tx } from '../../store/database.ts'
import { putSetting, selectSetting } from '../../store/settings.ts'
import { MAILS, type MailKind } from '../../text/mails.ts'

/** A mail's words before its link, in one language: `paragraphs` are parted by empty lines. */
export type Words = { subject: string; paragraphs: string }
/** The operator's own words of a mail. */
export type OwnText = Record<'es' | 'en', Words>

/** All kinds of mail, those to customers first. */
export const MAIL_KINDS = Object.keys(MAILS) as [MailKind, ...MailKind[]]

const nameOf = (kind: MailKind) => `mail:${kind}`

/** The words that the panel brings. */
export const givenText = (kind: MailKind): OwnText => ({
  es: wordsOf(MAILS[kind].es),
  en: wordsOf(MAILS[kind].en),
})

const wordsOf = ({ subject, paragraphs }: { subject: string; paragraphs: string[] }): Words => ({
  subject,
  paragraphs: paragraphs.join('\n\n'),
})

/** Parts a text at its empty lines. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')

const VALUE = /\{(\w+)\}/g
const ALWAYS = ['panel', 'host', 'empresa']

/** The values that the words of a mail may name as `{value}`: those that it is sent with. */
export function valuesOf(kind: MailKind): string[] {
  const given = Object.values(givenText(kind)).flatMap(({ subject, paragraphs }) => [subject, paragraphs])
  return [...new Set([...given.flatMap(namedIn), ...ALWAYS])]
}

/** The values that a text names. */
export const namedIn = (text: string): string[] => [...text.matchAll(VALUE)].map(([, name = '']) => name)

export const selectOwnText = (db: Db, kind: MailKind) => selectSetting(db, nameOf(kind))

/** All kinds that have words of the operator's. */
export const selectOwnTexts = (db: Db) =>
  db
    .select({ name: settings.name, value: settings.value })
    .from(settings)
    .where(inArray(settings.name, MAIL_KINDS.map(nameOf)))

/** What was stored; only `queueOwnText` writes it. Null where the panel's words hold. */
export const ownTextOf = ([row]: readonly { value: string }[]): OwnText | null =>
  row ? (JSON.parse(row.value) as OwnText) : null

/** The same of one kind among all. */
export const ownTextAmong = (rows: readonly { name: string; value: string }[], kind: MailKind) =>
  ownTextOf(rows.filter(({ name }) => name === nameOf(kind)))

/** The write of the operator's words; null puts the panel's back. */
export const queueOwnText = (tx: Tx, kind: MailKind, text: OwnText | null) =>
  text === null
    ? tx.delete(settings).where(eq(settings.name, nameOf(kind)))
    : putSetting(tx, nameOf(kind), JSON.stringify(text))
