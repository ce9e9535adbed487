import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { ConfigError, type NodeConfig } from '../../config.ts'
import { plainFault } from '../../http/errors.ts'

/** The files of a panel in its data directory; an operator may put some of them there before the first start. */
const OWN =
  /^(?:panel\.(?:db|env)|keys|tls|nodo|web|dns|acme|correo|reserva|copias|serving|clock|antes-de-actualizar\.db)/
/** Files that the file system makes, or programs that took the directory for somebody's home. */
const OF_NOBODY = /^(?:lost\+found$|\.)/
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Refuses a data directory that is not a directory. */
export function refuseFile(dataDir: string): void {
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory())
    throw new ConfigError(`PANEL_DATA ${dataDir} is a file: it must name the directory of the panel`)
}

/** Refuses to create a panel in a directory with other content, or one that cannot be written to. */
export function refuseOthersDirectory(dataDir: string): void {
  const names = readdirSync(dataDir).filter((name) => !OF_NOBODY.test(name))
  if (names.length > 0 && !names.some((name) => OWN.test(name)))
    throw new ConfigError(
      `PANEL_DATA ${dataDir} holds other things and no panel: name the panel's directory, or an empty or new one`,
    )
  accessSync(dataDir, constants.W_OK)
}

/** Refuses a PANEL_ACME_CA that holds no certificate. */
export function refuseNoCertificate({ acmeCa }: NodeConfig): void {
  if (acmeCa !== null) readAuthority(acmeCa)
}

/** The certificates to trust for PANEL_ACME_URL, in PEM. */
export function readAuthority(path: string): string {
  const text = readSetting('PANEL_ACME_CA', path, "the authority's certificate")
  const found = text.match(CERTIFICATES) ?? []
  if (found.length === 0 || !found.every(isCertificate))
    throw new ConfigError(`PANEL_ACME_CA: ${path} holds no certificate in PEM that can be read`)
  return text
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

function readSetting(name: string, path: string, what: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${name}: ${path} is a directory: it must name the file of ${what}`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${name}: ${plainFault(error)}`)
  }
}
