import PostalMime from 'postal-mime'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  link: string | null
  messageId: string
}

/** A raw message as tests look at it; `link` is the one-time link's secret, where it carries one. */
export async function parseMail(raw: Uint8Array | Buffer): Promise<Mail> {
  const mail = await PostalMime.parse(raw)
  const text = mail.text ?? ''
  return {
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    link: /\/enlace#([0-9A-Za-z]{43})/.exec(text)?.[1] ?? null,
    messageId: mail.messageId ?? '',
  }
}
