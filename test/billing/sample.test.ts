import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODULE, runPhp } from './php.ts'

/** What the billing system's sample suite for modules asks: each function, called with an empty array, answers this. */
const ANSWERS: Record<string, string> = {
  ConfigOptions: 'array',
  MetaData: 'array',
  CreateAccount: 'string',
  SuspendAccount: 'string',
  UnsuspendAccount: 'string',
  TerminateAccount: 'string',
  ChangePassword: 'string',
  ChangePackage: 'string',
  TestConnection: 'array',
  AdminCustomButtonArray: 'array',
  ClientAreaCustomButtonArray: 'array',
  AdminServicesTabFields: 'array',
  AdminServicesTabFieldsSave: 'NULL',
  ServiceSingleSignOn: 'array',
  AdminSingleSignOn: 'array',
  ClientArea: 'array',
}
const FURTHER: Record<string, string> = {
  UsageUpdate: 'string',
  ListAccounts: 'array',
  MetricProvider: 'NULL',
  AdminLink: 'string',
  LoginLink: 'string',
  SendLink: 'string',
  RefreshUse: 'string',
}

for (const [fn, type] of Object.entries({ ...ANSWERS, ...FURTHER })) {
  test(`${fn}, called with an empty array, throws nothing and answers ${type}`, async () => {
    const run = await runPhp({ calls: [{ fn, params: [] }], ca: null })
    expect(run.results[0]).toMatchObject({ type })
  })
}

test('every button of an administrator has its function, and customers have none', async () => {
  const calls = ['AdminCustomButtonArray', 'ClientAreaCustomButtonArray'].map((fn) => ({ fn, params: [] }))
  const run = await runPhp({ calls, ca: null })
  const buttons = Object.values(run.results[0]?.value as Record<string, string>) // label to function, as documented
  expect(buttons).toEqual(['SendLink', 'RefreshUse'])
  for (const fn of buttons) expect(run.defined).toContain(`controlpanel_${fn.toLowerCase()}`)
  expect(run.results[1]?.value).toEqual([])
})

test('single sign-on is refused with a reason that says where to sign in', async () => {
  const params = { serverhostname: 'panel.example.com', serverpassword: 'cpt_x' }
  for (const fn of ['ServiceSingleSignOn', 'AdminSingleSignOn']) {
    const run = await runPhp({ calls: [{ fn, params }], ca: null })
    expect(run.results[0]?.value).toEqual({
      success: false,
      errorMsg:
        'Sign in to the panel itself (https://panel.example.com:2087/) with your own e-mail address and password.',
    })
  }
})

test('the links lead to the panel of the server, and to nowhere while its settings name none', async () => {
  for (const fn of ['AdminLink', 'LoginLink']) {
    const link = async (params: unknown) =>
      (await runPhp({ calls: [{ fn, params }], ca: null })).results[0]?.value
    const good = { serverhostname: 'panel.example.com', serverpassword: 'cpt_x' }
    expect(await link(good)).toContain('href="https://panel.example.com:2087/"')
    expect(await link({ ...good, serverhostname: 'javascript:alert(1)' })).toBe('')
    expect(await link({ ...good, serverhostname: '"><script>' })).toBe('')
  }
})

test('every value in the template of the customer page is escaped', () => {
  const template = readFileSync(join(MODULE, 'clientarea.tpl'), 'utf8')
  const printed = template.match(/\{\$[^}]*?(?:'[{}]'[^}]*?)*\}/g) ?? []
  expect(printed.length).toBeGreaterThan(8)
  expect(printed.filter((value) => !value.includes("|escape:'html'"))).toEqual([])
})
