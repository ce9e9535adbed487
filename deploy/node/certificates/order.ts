import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import acme from 'acme-client'
import { CertificateError } from '../../../lib/sites/certificates/failure.ts'
import { renewAt } from '../../../lib/sites/certificates/schedule.ts'
import { writeWhole } from '../host/files.ts'
import { asked, orderFailure, validationFailure } from './authority.ts'
import { readCertificate } from './read.ts'

/**
 * An order under way, kept in a 0600 file so that a killed process goes on with the same order and key
 * instead of spending another certificate of the authority's weekly limit.
 */
export type Draft = {
  directoryUrl: string
  names: string[]
  keyPem: string
  orderUrl: string
  chainPem: string | null
}

/** The draft kept at `path` when it is for just these names and this authority and still of use, else null. */
export async function readDraft(
  path: string,
  wanted: { directoryUrl: string; names: string[]; now: Date },
): Promise<Draft | null> {
  try {
    const draft = JSON.parse(await readFile(path, 'utf8')) as Draft // written by `writeDraft` alone
    const same = draft.directoryUrl === wanted.directoryUrl && draft.names.join() === wanted.names.join()
    return same && !overdue(draft.chainPem, wanted.now) ? draft : null
  } catch {
    return null
  }
}

export function writeDraft(path: string, draft: Draft): void {
  writeWhole({ path, content: JSON.stringify(draft), mode: 0o600 })
}

/** The key of the certificate that is kept at `path`, else null. */
export async function keyInUse(path: string): Promise<string | null> {
  try {
    const { keyPem } = JSON.parse(await readFile(path, 'utf8')) as Draft // written by `writeDraft` alone
    return keyPem
  } catch {
    return null
  }
}

/** A new order, with the key that is given or a new one on EC P-256. */
export async function placeOrder(
  client: acme.Client,
  wanted: { directoryUrl: string; names: string[]; keyPem: string | null },
): Promise<Draft> {
  const identifiers = wanted.names.map((value) => ({ type: 'dns', value }))
  const order = await asked(() => client.createOrder({ identifiers }))
  const keyPem = wanted.keyPem ?? (await acme.crypto.createPrivateEcdsaKey('P-256')).toString()
  return { ...wanted, keyPem, orderUrl: order.url, chainPem: null }
}

/** The order of a draft as the authority sees it now, or null where it is lost, failed or expired. */
export async function findOrder(client: acme.Client, draft: Draft): Promise<acme.Order | null> {
  try {
    const order = await asked(() => client.getOrder(addressOf(draft)))
    return order.status === 'invalid' ? null : order
  } catch (error) {
    if (error instanceof CertificateError && error.kind === 'rechazada') return null
    throw error
  }
}

/** Answers the order's HTTP-01 challenges through files in `directory` (RFC 8555 section 8.3). */
export async function validateOrder(
  client: acme.Client,
  order: acme.Order,
  directory: string,
): Promise<void> {
  if (order.status !== 'pending') return
  const authorizations = await asked(() => client.getAuthorizations(order))
  const open = authorizations.filter((authorization) => authorization.status === 'pending')
  const results = await Promise.allSettled(open.map((one) => answerChallenge(client, one, directory)))
  const failed = results.find((result) => result.status === 'rejected')
  const refused = authorizations.some(({ status }) => status !== 'pending' && status !== 'valid')
  if (!failed && !refused) return
  const failure = await validationFailure(client, order)
  throw failure ?? failed?.reason ?? new CertificateError('rechazada', { codigo: 'acme_rechazado' })
}

/** Finalizes a validated order and fetches the chain; checks that it belongs to key and names. */
export async function downloadChain(client: acme.Client, draft: Draft): Promise<string> {
  const order = await asked(() => client.getOrder(addressOf(draft)))
  if (order.status === 'ready') {
    const [, csr] = await acme.crypto.createCsr({ altNames: draft.names }, draft.keyPem)
    await asked(() => client.finalizeOrder(order, csr))
  }
  const valid = await asked(() => client.waitForValidStatus(addressOf(draft))).catch(async (error) => {
    throw orderFailure(await asked(() => client.getOrder(addressOf(draft)))) ?? error
  })
  const chainPem = await asked(() => client.getCertificate({ ...valid, url: draft.orderUrl }))
  checkChain(chainPem, draft)
  return chainPem
}

async function answerChallenge(
  client: acme.Client,
  authorization: acme.Authorization,
  directory: string,
): Promise<void> {
  const challenge = authorization.challenges.find((one) => one.type === 'http-01')
  // The token becomes a file name: base64url alone, as RFC 8555 section 8.3 demands.
  if (!challenge || !/^[A-Za-z0-9_-]{1,255}$/.test(challenge.token)) {
    throw new CertificateError('rechazada', { codigo: 'acme_sin_reto' })
  }
  const path = join(directory, challenge.token)
  const content = await client.getChallengeKeyAuthorization(challenge)
  writeWhole({ path, content, mode: 0o644 })
  try {
    await asked(() => client.completeChallenge(challenge))
    await asked(() => client.waitForValidStatus(challenge))
  } finally {
    await rm(path, { force: true })
  }
}

/** A chain that waited so long to be installed that it should be renewed at once. */
function overdue(chainPem: string | null, now: Date): boolean {
  if (chainPem === null) return false
  const { issuedAt, expiresAt } = readCertificate(chainPem)
  return renewAt(issuedAt, expiresAt) <= now
}

function checkChain(chainPem: string, draft: Draft): void {
  const leaf = new X509Certificate(chainPem)
  const uncovered = draft.names.filter((name) => leaf.checkHost(name) === undefined)
  if (!leaf.checkPrivateKey(createPrivateKey(draft.keyPem)) || uncovered.length > 0) {
    throw new CertificateError('rechazada', { codigo: 'acme_ajeno' })
  }
}

/** acme-client asks for a whole order where it reads nothing but its address. */
function addressOf(draft: Draft): acme.Order {
  return { url: draft.orderUrl, status: 'pending', identifiers: [], authorizations: [], finalize: '' }
}
