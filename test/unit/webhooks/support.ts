import type { Resolver } from '../../../lib/endpoint/context.ts'

/** The part of a configuration that says where webhooks may go beside public addresses. */
export const allowing = (...webhookAddresses: string[]) => ({ webhookAddresses })

/** A resolver whose answers about IPv4 are these, one after the other. */
export const resolving = (...answers: string[][]): Resolver => ({
  label: 'test',
  query: async (_, type) =>
    type === 'A'
      ? {
          kind: 'answer',
          values: answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []),
          ttlSeconds: 1,
        }
      : { kind: 'nodata', ttlSeconds: 1 },
})
