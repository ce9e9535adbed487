import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import acme from 'acme-client'
import type { Certificate, Step } from '../../../lib/endpoint/node-port.ts'
import { CertificateError } from '../../../lib/sites/certificates/failure.ts'
import { certificateNames } from '../../../lib/sites/certificates/schedule.ts'
import { createWhole, putInPlace, removeStale, writeWhole } from '../host/files.ts'
import { connectAuthority } from './authority.ts'
import { heldPath, siteKey } from './held.ts'
import { withinLimit } from './limit.ts'
import {
  type Draft,
  downloadChain,
  findOrder,
  keyInUse,
  placeOrder,
  readDraft,
  validateOrder,
  writeDraft,
} from './order.ts'
import { readCertificate } from './read.ts'

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
  /** Installs a chain and its key, as one file, where the web server reads them for that host name. */
  installCertificate: (name: string, chainPem: string, keyPem: string) => Promise<void>
  now: () => Date
  /** First wait between two looks at a pending challenge, milliseconds. */
  pollMinMs?: number
}

/** With `renew`, a new certificate is requested even if the present one has the same names and is not due. */
export type CertificateRequest = { siteId: number; domain: string; names: string[]; renew?: boolean }

type Subject = { key: string; names: string[]; renew: boolean; install: IssuerOptions['installCertificate'] }

/**
 * Obtains certificates by ACME (RFC 8555) and HTTP-01. Throws CertificateError with a reason that the
 * site's owner may read. Every step can be repeated: an order under way
 * is gone on with, and a certificate with the same names that is not due is installed again as it is.
 */
export function certificateIssuer(options: IssuerOptions) {
  return {
    /** One certificate for those of the site's names that resolve here; installed under each of them. */
    async issue(request: CertificateRequest, step: Step): Promise<Certificate> {
      const names = await reachable(options, certificateNames(request.domain, request.names))
      const subject = { key: siteKey(request.siteId), install: options.installCertificate }
      return obtainWhatCan(options, { ...subject, names, renew: request.renew === true }, step)
    },

    /** Removes everything that is kept of a site: its key and its orders. */
    async forget(siteId: number): Promise<void> {
      const { draft, held, limit } = pathsOf(options, siteKey(siteId))
      for (const path of [draft, held, limit]) await rm(path, { force: true })
    },

    /** The panel's own certificate, passed to `install` instead of the web server. */
    async issueOwn(
      host: string,
      install: IssuerOptions['installCertificate'],
      step: Step,
    ): Promise<Certificate> {
      const names = await reachable(options, [host])
      return obtain(options, { key: 'panel', names, install, renew: false }, step)
    },
  }
}

/** Challenges of an order that a killed process left. */
const STALE_MS = 86_400_000

/** Where the present order, the certificate in use and a pause that the authority asked for are kept. */
function pathsOf(options: IssuerOptions, key: string) {
  const at = (...parts: string[]) => join(options.stateDirectory, ...parts)
  return {
    draft: at('orders', `${key}.json`),
    held: heldPath(options.stateDirectory, key),
    limit: at('orders', `${key}.limit`),
  }
}

async function reachable(options: IssuerOptions, names: string[]): Promise<string[]> {
  const here = await Promise.all(names.map((name) => options.resolvesHere(name)))
  const found = names.filter((_, index) => here[index])
  if (found.length > 0) return found
  throw new CertificateError('no_resuelve', { codigo: 'no_resuelve_aqui', nombres: names.join(', ') })
}

/**
 * Repeats the order without the names that the authority cannot reach: one bad name must not keep the others from a
 * certificate.
 */
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
  const paths = pathsOf(options, subject.key)
  for (const path of [paths.draft, paths.held]) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const wanted = { directoryUrl: options.directoryUrl, names: subject.names, now: options.now() }
  const held = subject.renew ? null : await readDraft(paths.held, wanted)
  const draft: { current: Draft | null } = { current: await readDraft(paths.draft, wanted) }
  if (held === null && draft.current?.chainPem == null) {
    await withinLimit(paths.limit, options.now, () =>
      order(options, { subject, path: paths.draft, draft }, step),
    )
  }
  const { chainPem, keyPem } = required(held ?? draft.current)
  if (chainPem === null) throw new CertificateError('no_disponible', { codigo: 'acme_respuesta' })
  await step('certificate.install', async () => {
    for (const name of subject.names) await subject.install(name, chainPem, keyPem)
    // From now on the certificate is in use, and a further call answers with it.
    if (held === null) putInPlace(paths.draft, paths.held)
  })
  return readCertificate(chainPem)
}

async function order(
  options: IssuerOptions,
  work: { subject: Subject; path: string; draft: { current: Draft | null } },
  step: Step,
): Promise<void> {
  const { subject, path, draft } = work
  // Writes the file first: a full disk must show before a certificate is requested that could not be stored.
  if (draft.current === null) writeWhole({ path, content: '{}', mode: 0o600 })
  await mkdir(options.challengeDirectory, { recursive: true, mode: 0o755 })
  removeStale(options.challengeDirectory, new Date(options.now().getTime() - STALE_MS))
  const client = await connect(options)
  await step('certificate.order', async () => {
    if (draft.current !== null && (await findOrder(client, draft.current)) !== null) return
    // By the schedule the key stays, for programs that know it; whoever asks for a renewal gets a new one.
    const keyPem = subject.renew ? null : await keyInUse(pathsOf(options, subject.key).held)
    const { directoryUrl } = options
    draft.current = await placeOrder(client, { directoryUrl, names: subject.names, keyPem })
    writeDraft(path, draft.current)
  })
  await step('certificate.validate', async () => {
    const found = await findOrder(client, required(draft.current))
    if (found !== null) await validateOrder(client, found, options.challengeDirectory)
  })
  await step('certificate.download', async () => {
    const placed = required(draft.current)
    draft.current = { ...placed, chainPem: await downloadChain(client, placed) }
    writeDraft(path, draft.current)
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
  return createWhole({ path, content: made, mode: 0o600 }) ? made : readFile(path, 'utf8')
}

function required(draft: Draft | null): Draft {
  if (draft === null) throw new CertificateError('no_disponible', { codigo: 'acme_respuesta' })
  return draft
}
