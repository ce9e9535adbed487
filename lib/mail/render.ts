import type { links, mails } from '../../schema/tables.ts'
import type { OutgoingMail, Services } from '../endpoint/context.ts'
import { linkUrl } from '../secrets/links.ts'
import { MAIL_FRAME } from '../text/mail-frame.ts'
import { MAILS, type MailKind } from '../text/mails.ts'
import { type OwnText, paragraphsOf } from './texts/own.ts'

type MailRow = typeof mails.$inferSelect
type LinkRow = typeof links.$inferSelect

type About = {
  /** The link that it carries. */
  link: LinkRow | null
  /** Values for the text beside those of the row. */
  values: Record<string, string>
  /** The operator's words; null for the panel's. */
  own: OwnText | null
}

/**
 * A queued mail as text and HTML. The link's secret exists only in what this returns; rendering the
 * same row again gives the same link and Message-ID.
 */
export function renderMail(
  services: Pick<Services, 'keys' | 'config'>,
  mail: MailRow,
  { link, values: more, own }: About,
): OutgoingMail {
  const kind = mail.kind as MailKind // Only enqueueMail writes this column, and it takes nothing else.
  const text = MAILS[kind][mail.language]
  const words = own?.[mail.language]
  const paragraphs = words ? paragraphsOf(words.paragraphs) : text.paragraphs
  const { origin, host, mailFrom } = services.config
  const values: Record<string, string> = { ...mail.payload, panel: origin, host, empresa: host, ...more }
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => clean(values[name] ?? ''))
  const url = link ? linkUrl(services, link).reveal() : null
  const frame = MAIL_FRAME[mail.language]
  const isFilled = (template: string) =>
    [...template.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name])
  const greeting = isFilled(frame.greeting) ? frame.greeting : frame.plainGreeting
  const before = [greeting, ...paragraphs].map(fill)
  const after = [...(text.after ?? []), frame.help, frame.foot].filter(isFilled).map(fill)
  return {
    messageId: `<${mail.id}@${host}>`,
    to: mail.recipient,
    from: mailFrom,
    subject: clean(fill(words?.subject ?? text.subject)),
    text: [...before, ...(url ? [url] : []), ...after].join('\n\n'),
    html: page(mail.language, { before, link: url === null ? '' : linkIn(url, text.button ?? ''), after }),
    language: mail.language,
  }
}

/** Replaces control characters, which must not reach a header or the page's markup. */
const clean = (value: string) => value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')

const escapeHtml = (value: string) =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const inParagraphs = (texts: string[]) =>
  texts.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join('')

function linkIn(url: string, button: string): string {
  const style = 'background:#1f5fd0;color:#ffffff;padding:10px 18px;border-radius:6px;text-decoration:none'
  return `<p><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(button)}</a></p><p>${escapeHtml(url)}</p>`
}

type Parts = { before: string[]; link: string; after: string[] }

function page(language: string, { before, link, after }: Parts): string {
  const body = `${inParagraphs(before)}${link}${inParagraphs(after)}`
  const frame =
    'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:560px;margin:0 auto;padding:24px'
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body><div style="${frame}">${body}</div></body></html>`
}
