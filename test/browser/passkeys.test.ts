import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, CDPSession } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, PASSWORD } from '../support/people.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(120_000)

let panel: Panel
let browser: Browser
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  // Chromium lets no page use passkeys whose certificate it does not believe.
  browser = await startBrowser([], [panel.ca])
  token = await newToken(panel, await firstAdmin(panel))
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

/** An authenticator of Chromium's own: in the device, with passkeys, its holder verified at once. */
async function authenticator({ context, page }: Visitor): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

/** How the passkeys that an authenticator holds are known to it. */
const held = async ({ cdp, id }: Awaited<ReturnType<typeof authenticator>>) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials

test('a customer adds a passkey, signs in by it with nothing typed, and removes it', async () => {
  const ana = await customer(panel, token, 'ana')
  // Whoever signs in by hand is shown the account's own language.
  await panel.api('PATCH', '/yo', { bearer: ana.bearer, body: { idioma: 'en' } })
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  const { page } = visitor
  const device = await authenticator(visitor)
  await visitor.go('/panel/cuenta')
  await visitor.button('Add a passkey').click()
  const form = visitor.dialog
  expect(await form.getByLabel('Name').inputValue()).not.toBe('')
  await form.getByLabel('Name').fill('Ana’s laptop')
  await form.getByLabel('Your password').fill('not this one, no')
  await form.getByRole('button', { name: 'Continue' }).click()
  await form.getByText('password is wrong').first().waitFor()
  await form.getByLabel('Your password').fill(PASSWORD)
  expect(await visitor.axe()).toEqual([])
  await form.getByRole('button', { name: 'Continue' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Ana’s laptop' }).waitFor()
  expect((await panel.mailTo(ana.email, 2)).text).toStartWith('Hello Empresa ana,')
  expect(await held(device)).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  expect(await visitor.axe()).toEqual([])

  // The same device again: it has one already.
  await visitor.button('Add a passkey').click()
  await visitor.dialog.getByLabel('Your password').fill(PASSWORD)
  await visitor.dialog.getByRole('button', { name: 'Continue' }).click()
  await visitor.dialog.getByText('has a passkey of this account already').waitFor()
  await page.keyboard.press('Escape')

  await visitor.context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await visitor.go('/entrar')
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Use a passkey').click()
  await page.getByRole('heading', { name: 'Empresa ana', level: 1 }).waitFor()

  await visitor.to('/panel/cuenta')
  await page.getByText('last used').waitFor()
  await visitor.button('Remove: Ana’s laptop').click()
  await visitor.dialog.getByLabel('Your password').fill(PASSWORD)
  await visitor.dialog.getByRole('button', { name: 'Remove the passkey' }).click()
  await visitor.dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Ana’s laptop' }).waitFor({ state: 'detached' })

  // The device has it still, and the panel does not know it any more.
  await visitor.context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await visitor.go('/entrar')
  await visitor.button('Use a passkey').click()
  await page.getByText('This passkey is not known here').waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})

test('whose holder it could not verify, a device signs nobody in, and says so in Spanish', async () => {
  const visitor = await Visitor.come(browser, panel, {})
  const { cdp, id } = await authenticator(visitor)
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
  await visitor.go('/entrar')
  await visitor.button('Usar una llave de acceso').click()
  await visitor.page.getByText('No se ha usado ninguna llave').waitFor()
  expect(visitor.requests.filter(({ url }) => url.endsWith('/acceso/llave-de-acceso'))).toEqual([])
  await visitor.leave()
})
