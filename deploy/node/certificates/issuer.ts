import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import acme from 'acme-client'
import { CertificateError } from '../../../lib/certificates/failure.ts'
import { certificateNames } from '../../../lib/certificates/schedule.ts'
import type { Certificate, Step } from '../../../lib/node.ts'
import { connectAuthority } from './authority.ts'
import { createAtomic, removeStale, writeAtomic } from './files.ts'
import {
  type Draft,
  downloadChain,
  findOrder,
  placeOrder,
  readCertificate,
  readDraft,
  validateOrder,
  writeDraft,
} from './order.ts'

export type IssuerOptions = {
  directoryUrl: string
  /** PEM of the authority to trust for the directory; null for the public ones. */
  caPem: string | null
  contact: string | null
  /** Directory of the panel alone, 0700: account key and orders under way. */
  stateDirectory: string
  /** Served for every host name at /.well-known/acme-challenge/. */
  challengeDirectory: string
  /** Whether the authority will reach this node under that name. */
  resolvesHere: (name: string) => Promise<boolean>
  /** Puts a chain and its key, as one, where the web server reads them for that host name. */
  installCertificate: (name: string, chainPem: string, keyPem: string) => Promise<void>
  now: () => Date
  /** First wait between two looks at a pending challenge, milliseconds. */
  pollMinMs?: number
}

type Subject = { key: string; names: string[]; install: IssuerOptions['installCertificate'] }

/**
 * Obtains certificates by ACME (RFC 8555) and HTTP-01. Throws CertificateError with a reason that the
 * site's owner may read. Every step can be repeated; a repeated order is the same order.
 */
export function certificateIssuer(options: IssuerOptions) {
  return {
    /** One certificate for those of the site's names that resolve here; installed under each of them. */
    async issue(
      request: { siteId: number; domain: string; names: string[] },
      step: Step,
    ): Promise<Certificate> {
      const wanted = certificateNames(request.domain, request.names)
      const subject = { key: `site-${request.siteId}`, install: options.installCertificate }
      const site = { ...subject, names: await reachable(options, wanted) }
      return withinLimits(options, site, () => obtainWhatCan(options, site, step))
    },

    /** The panel's own certificate, given to `install` instead of the web server. */
    async issueOwn(
      host: string,
      install: IssuerOptions['installCertificate'],
      step: Step,
    ): Promise<Certificate> {
      const own = { key: 'panel', names: await reachable(options, [host]), install }
      return withinLimits(options, own, () => obtain(options, own, step))
    },
  }
}

async function reachable(options: IssuerOptions, names: string[]): Promise<string[]> {
  const here = await Promise.all(names.map((name) => options.resolvesHere(name)))
  const found = names.filter((_, index) => here[index])
  if (found.length > 0) return found
  throw new CertificateError(
    'no_resuelve',
    `No name of the site resolves to this server: ${names.join(', ')}`,
  )
}

/**
 * Asks nothing of the authority before the time that it named for this subject, whoever asks: a person's
 * button and a restarted panel are held to it as the schedule is.
 */
async function withinLimits(
  options: IssuerOptions,
  subject: Subject,
  ask: () => Promise<Certificate>,
): Promise<Certificate> {
  const path = join(options.stateDirectory, 'orders', `${subject.key}.limit`)
  const held = await readLimit(path)
  if (held !== null && held.until > options.now()) {
    throw new CertificateError('limite', held.reason, { retryAfter: held.until })
  }
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CertificateError && error.retryAfter !== null) {
      await writeAtomic(path, `${error.retryAfter.toISOString()} ${error.message}`, 0o600)
    }
    throw error
  }
}

async function readLimit(path: string): Promise<{ until: Date; reason: string } | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, until, reason] = /^(\S+) (.*)$/.exec(text) ?? []
  return until === undefined || reason === undefined ? null : { until: new Date(until), reason }
}

/** A name that the authority cannot reach must not keep the others from their certificate: asked once more. */
async function obtainWhatCan(options: IssuerOptions, subject: Subject, step: Step): Promise<Certificate> {
  try {
    return await obtain(options, subject, step)
  } catch (error) {
    if (!(error instanceof CertificateError) || error.kind !== 'rechazada') throw error
    const names = subject.names.filter((name) => !error.names.includes(name))
    if (names.length === 0 || names.length === subject.names.length) throw error
    return obtain(options, { ...subject, names }, step)
  }
}

async function obtain(options: IssuerOptions, subject: Subject, step: Step): Promise<Certificate> {
  await mkdir(options.challengeDirectory, { recursive: true, mode: 0o755 })
  await removeStale(options.challengeDirectory, options.now())
  const path = join(options.stateDirectory, 'orders', `${subject.key}.json`)
  const { directoryUrl } = options
  const draft: { current: Draft | null } = {
    current: await readDraft(path, { directoryUrl, names: subject.names, now: options.now() }),
  }
  if (draft.current?.chainPem == null) await order(options, { subject, path, draft }, step)
  const { chainPem, keyPem } = required(draft.current)
  if (chainPem === null) throw new CertificateError('no_disponible', 'The order ended without a certificate')
  await step('certificate.install', async () => {
    for (const name of subject.names) await subject.install(name, chainPem, keyPem)
    await rm(path, { force: true })
  })
  const { issuer, expiresAt, names } = readCertificate(chainPem)
  return { issuer, expiresAt, names }
}

async function order(
  options: IssuerOptions,
  work: { subject: Subject; path: string; draft: { current: Draft | null } },
  step: Step,
): Promise<void> {
  const { subject, path, draft } = work
  const client = await connect(options)
  await step('certificate.order', async () => {
    if (draft.current !== null && (await findOrder(client, draft.current)) !== null) return
    draft.current = await placeOrder(client, options.directoryUrl, subject.names)
    await writeDraft(path, draft.current)
  })
  await step('certificate.validate', async () => {
    const found = await findOrder(client, required(draft.current))
    if (found !== null) await validateOrder(client, found, options.challengeDirectory)
  })
  await step('certificate.download', async () => {
    const placed = required(draft.current)
    draft.current = { ...placed, chainPem: await downloadChain(client, placed) }
    await writeDraft(path, draft.current)
  })
}

async function connect(options: IssuerOptions): Promise<acme.Client> {
  return connectAuthority({
    directoryUrl: options.directoryUrl,
    caPem: options.caPem,
    accountKeyPem: await accountKey(options.stateDirectory),
    contact: options.contact,
    now: options.now,
    pollMinMs: options.pollMinMs ?? 500,
  })
}

/** The account's key; whoever holds it can revoke this node's certificates. Made once, 0600. */
async function accountKey(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'account.pem')
  const existing = await readFile(path, 'utf8').catch(() => null)
  if (existing !== null) return existing
  const made = (await acme.crypto.createPrivateEcdsaKey('P-256')).toString()
  // Two orders may begin at once: the first file stays.
  return (await createAtomic(path, made, 0o600)) ? made : readFile(path, 'utf8')
}

function required(draft: Draft | null): Draft {
  if (draft === null) throw new CertificateError('no_disponible', 'The order was lost')
  return draft
}
