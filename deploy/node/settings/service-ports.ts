import type { NodeConfig } from '../../config.ts'

/** Where sites and names are served. */
export function servicePorts({ httpPort, httpsPort, dnsPort, mariadbPort }: NodeConfig) {
  return {
    http: httpPort ?? (isRoot() ? 80 : 8080),
    https: httpsPort ?? (isRoot() ? 443 : 8443),
    dns: dnsPort ?? (isRoot() ? 53 : 5353),
    mariadb: mariadbPort ?? 3307,
  }
}

const isRoot = () => process.getuid?.() === 0
