/** What a resolver said to one question. */
export type Answer = {
  /** RFC 1035 section 4.1.1: 0 NOERROR, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  rcode: number
  /** Data of the records that answer the question, aliases followed, in presentation form. */
  values: string[]
  /** Lowest TTL of what was used; for a negative answer the one of RFC 2308 section 5; null when unknown. */
  ttlSeconds: number | null
  /** NOERROR without data, but with a referral instead of an SOA: nobody has answered the question. */
  referral: boolean
}

export type QueryType = 'A' | 'AAAA' | 'NS'

/** One recursive resolver. `query` throws when it gave no usable answer in time. */
export interface Resolver {
  /** As configured (`udp://192.0.2.1:53`, `https://…/dns-query`), for showing. */
  readonly name: string
  query(name: string, type: QueryType, timeoutMs: number): Promise<Answer>
}

/** Nobody answered, or what came was no answer to the question. */
export class ResolverError extends Error {
  constructor(reason: 'timeout' | 'unreachable' | 'malformed') {
    super(reason)
    this.name = 'ResolverError'
  }
}
