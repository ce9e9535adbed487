import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { codeOf, enrol, PASSWORD } from '../support/people.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'
import { Follower } from './follower.ts'

setDefaultTimeout(180_000)

let panel: Panel
let browser: Browser
/** The registry of `test.`, where people have their domains. */
let registry: PowerDns
let unbound: Unbound
let operator: Visitor
let customer: Visitor

beforeAll(async () => {
  registry = await startPowerDns()
  unbound = await startUnbound({ test: registry.dnsPort })
  panel = await Panel.start({
    env: {
      PANEL_RESOLVER: `udp://127.0.0.1:${unbound.port}`,
      PANEL_IPS: '192.0.2.7',
      PANEL_NS: 'ns1.host.test,ns2.host.test',
    },
  })
  browser = await startBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
  await unbound?.stop()
  await registry?.stop()
}, 60_000)

/** What the registrar of the domain publishes of it. */
async function publish(address: string): Promise<void> {
  const zone = 'bodega-luz.test.'
  await registry.api('POST', '/zones', { name: zone, kind: 'Native', nameservers: ['ns1.lejos.test.'] })
  const rrsets = [zone, `www.${zone}`].map((name) => ({
    ...{ name, type: 'A', ttl: 60, changetype: 'REPLACE' },
    records: [{ content: address, disabled: false }],
  }))
  const { status } = await registry.api('PATCH', `/zones/${zone}`, { rrsets })
  expect(status).toBe(204)
}

const visit = async (host: string) => {
  const url = `http://127.0.0.1:${panel.httpPort}/`
  return (await fetch(url, { headers: { host }, keepalive: false })).status
}

/** Five things that people come for: each by what the screens say, with no more steps and time than this. */
const MOST_STEPS = { operator: 18, connect: 2, mail: 6, support: 5, why: 3 }
const MOST_SECONDS = 60

test('a new operator goes from the first link to the first site that is served', async () => {
  operator = await Visitor.come(browser, panel, { locale: 'en-GB' })
  const person = new Follower(operator)
  await operator.go(panel.firstLink?.replace(panel.origin, '') ?? '')
  await person.writes('Your e-mail', 'op@host.test')
  await person.writes('Password', PASSWORD)
  await person.presses('Set the password')
  await person.reads('Protect your account with your phone')
  const secret = await eventually(
    async () => /(?:[A-Z2-7]{4} ?){8}/.exec(await person.seen())?.[0] ?? null,
    'the secret',
  )
  await person.writes('Code', await codeOf(panel, secret.replace(/\s/g, '')))
  await person.ticks('I have saved them')
  await person.presses('Continue')
  await person.reads('Setting up')
  await person.presses('Create a plan')
  await person.writes('Name', 'basic')
  await person.writes('Disk', '5 GB')
  await person.presses('No limit for all that is empty')
  await person.presses('Create')
  await person.isBack()
  await person.reads('basic')
  await person.presses('Overview')
  await person.presses('Create a client')
  await person.writes('Domain', 'bodega-luz.test')
  await person.writes("Customer's e-mail", 'ana@correo.test')
  await person.chooses('Plan', 'basic')
  await person.presses('Create all of it')
  await person.reads('Active')
  await eventually(async () => (await visit('bodega-luz.test')) === 200, 'the site')
  const { steps, seconds } = person.tells('first sign-in to first site')
  expect(steps).toBeLessThanOrEqual(MOST_STEPS.operator)
  expect(seconds).toBeLessThan(MOST_SECONDS)
})

test('a customer connects a domain that is registered elsewhere', async () => {
  await publish('198.51.100.7')
  const mail = await panel.mailTo('ana@correo.test')
  const ana = await enrol(panel, mail.link ?? '', 'ana@correo.test')
  customer = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  const person = new Follower(customer)
  await customer.go('/panel')
  await person.reads('Connect bodega-luz.test')
  await person.reads('198.51.100.7')
  await person.reads('Or keep your DNS where it is, and set these records there')
  const address = /www\.bodega-luz\.test\s+A\s+([0-9.]+)/.exec(await person.seen())?.[1] ?? ''
  await publish(address)
  await person.presses('Check again')
  await person.reads(/points here/)
  const { steps, seconds } = person.tells('connect a domain')
  expect(steps).toBeLessThanOrEqual(MOST_STEPS.connect)
  expect(seconds).toBeLessThan(MOST_SECONDS)
})

test('a customer sets up the mail of Microsoft 365', async () => {
  const person = new Follower(customer)
  await person.presses('DNS zones')
  await person.presses('bodega-luz.test')
  await person.presses('Set up mail')
  await person.chooses('Where is the mail of this domain?', 'Microsoft 365')
  await person.presses('Preview')
  await person.reads(/outlook\.com/)
  await person.presses('Make these changes')
  // What only the provider knows is asked for there and then, and can wait.
  await person.reads(/DKIM/)
  const { steps, seconds } = person.tells('Microsoft 365 mail')
  expect(steps).toBeLessThanOrEqual(MOST_STEPS.mail)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  await person.presses('Later, in the tab Mail')
  await person.isBack()
  await person.reads('0 bodega-luz-test.mail.protection.outlook.com.')
})

test('support finds a client by a part of its domain and sends the link to sign in again', async () => {
  const person = new Follower(operator)
  await person.presses(/^Search/)
  await person.writes('Search', 'dega-l')
  await person.presses(/^bodega-luz\.test client/)
  await person.presses('Login')
  await person.reads('Send a new link')
  await person.presses('Send')
  await person.reads(/ana@correo\.test/)
  const { link } = await panel.mailTo('ana@correo.test', 2)
  expect(link).not.toBeNull()
  const { steps, seconds } = person.tells('find a client and send its link')
  expect(steps).toBeLessThanOrEqual(MOST_STEPS.support)
  expect(seconds).toBeLessThan(MOST_SECONDS)
})

test('an operator sees why a site cannot be reached', async () => {
  await publish('203.0.113.9')
  await operator.go('/panel')
  const person = new Follower(operator)
  await person.presses(/^Search/)
  await person.writes('Search', 'bodega')
  await person.presses(/site of bodega-luz\.test/)
  await person.reads('points elsewhere')
  await person.reads('203.0.113.9')
  const { steps, seconds } = person.tells('why a site is not reachable')
  expect(steps).toBeLessThanOrEqual(MOST_STEPS.why)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  expect([...operator.complaints, ...customer.complaints]).toEqual([])
})
