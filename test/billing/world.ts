import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { eventually } from '../support/wait.ts'
import { scratch, selfSigned, type TestCertificate } from './certs.ts'
import { callPhp, type LogEntry, type PhpOptions, rendered, runPhp } from './php.ts'
import { type ScriptedPanel, startScriptedPanel, TOKEN } from './scripted-panel.ts'

/** A scripted panel, a fault proxy before it, and a billing server that trusts the panel's own certificate. */
export type World = {
  panel: ScriptedPanel
  proxy: FaultProxy
  certificate: TestCertificate
  directory: string
  /** The parameters that the billing system gives for service 41; the panel is met through the proxy. */
  params(overrides?: Record<string, unknown>): Record<string, unknown>
  /** Calls one function of the module in a PHP that trusts the panel. */
  call(fn: string, overrides?: Record<string, unknown>, options?: Partial<PhpOptions>): Promise<unknown>
  /** As call(), with what the module wrote into the module log. */
  logged(fn: string, overrides?: Record<string, unknown>): Promise<{ value: unknown; log: LogEntry[] }>
  /** The customer's page as Smarty makes it. */
  area(overrides?: Record<string, unknown>): Promise<string>
  /** Milliseconds from the first request since that many to the end of the last one's connection. */
  askedMs(since: number): Promise<number>
  /** Methods and paths that came to the proxy, in order. */
  requests(): string[]
  reset(): void
  stop(): Promise<void>
}

export const EMAIL = 'ana@example.es'
export const PASSWORD = 'typed-by-the-customer-1234'
/** `whmcs-` and the first 8 hex digits of SHA-256 of `https://billing.example.com/`, as SystemURL is stored. */
export const REFERENCE = `whmcs-${new Bun.CryptoHasher('sha256').update('https://billing.example.com/').digest('hex').slice(0, 8)}:41`

export async function startWorld(): Promise<World> {
  const { directory, remove } = scratch()
  const certificate = await selfSigned(directory, 'panel', ['localhost', '127.0.0.1'])
  const panel = startScriptedPanel(certificate)
  const target = { host: 'localhost', port: panel.port, ca: certificate.cert }
  const proxy = await startFaultProxy({ target, tls: certificate })
  const params = (overrides = {}) => serviceParams(proxy.port, overrides)
  return {
    panel,
    proxy,
    certificate,
    directory,
    params,
    call: (fn, overrides, options) => callPhp(fn, params(overrides), { ca: certificate.file, ...options }),
    logged: async (fn, overrides) => {
      const run = await runPhp({ calls: [{ fn, params: params(overrides) }], ca: certificate.file })
      return { value: run.results[0]?.value, log: run.log }
    },
    area: async (overrides) =>
      rendered(await callPhp('ClientArea', params(overrides), { ca: certificate.file })),
    async askedMs(since) {
      const asked = proxy.seen.slice(since)
      const closed = await eventually(
        async () => asked.at(-1)?.closedAtMs ?? null,
        'the end of the connection',
      )
      return closed - (asked[0]?.atMs ?? Number.NaN)
    },
    requests: () => proxy.seen.map((request) => `${request.method} ${request.path}`),
    reset: () => {
      panel.reset()
      proxy.reset()
    },
    stop: async () => {
      await proxy.close()
      await panel.stop()
      remove()
    },
  }
}

/** What the billing system gives to every function for a service. */
export function serviceParams(
  port: number,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    serviceid: 41,
    addonId: 0,
    userid: 7,
    serverid: 3,
    domain: 'ejemplo.es',
    username: 'ejemploe',
    password: PASSWORD,
    producttype: 'hostingaccount',
    moduletype: 'controlpanel',
    configoption1: 'basico',
    configoptions: {},
    customfields: {},
    server: true,
    serverip: '',
    serverhostname: `localhost:${port}`,
    serverusername: '',
    serverpassword: TOKEN,
    serveraccesshash: '',
    serversecure: true,
    serverport: '2087',
    clientsdetails: {
      email: EMAIL,
      firstname: 'Ana',
      lastname: 'Núñez',
      companyname: '',
      language: 'spanish',
    },
    ...overrides,
  }
}
