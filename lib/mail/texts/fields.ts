/** The fields of a mail's words. */
export const FIELDS = { subject: 'asunto', paragraphs: 'texto' } as const
