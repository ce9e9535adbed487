import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser } from './browser.ts'
import { overflow } from './overflow.ts'
import { axe, type Desk, deskOf } from './zones-support.ts'

setDefaultTimeout(60_000)

let panel: Panel
let browser: Browser
let admin: SignedIn
let customer: SignedIn
let desk: Desk
let page: Page

const api = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: admin.bearer, ...(body === undefined ? {} : { body }) })
const values = async (nombre: string, tipo: string): Promise<string[] | null> => {
  const { body } = await api('GET', '/zonas/ejemplo.es/registros')
  const found = body.datos.find((one: Rrset) => one.nombre === nombre && one.tipo === tipo)
  return found?.valores ?? null
}
type Rrset = { nombre: string; tipo: string; valores: string[] }

const button = (name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
const box = (name: string) => page.getByRole('textbox', { name, exact: true })
const open = async (tab = 'registros') => {
  await page.goto(`${panel.origin}/panel/zonas/ejemplo.es/${tab}`)
  await page.getByRole('heading', { level: 1, name: 'ejemplo.es' }).waitFor()
}

beforeAll(async () => {
  panel = await Panel.start()
  admin = await firstAdmin(panel)
  for (const cliente of ['acme', 'otra']) await api('POST', '/clientes', { cliente })
  expect((await api('POST', '/zonas', { cliente: 'acme', zona: 'ejemplo.es' })).status).toBe(201)
  const www = { ttl: 3600, valores: ['127.0.0.1'] }
  expect((await api('PUT', '/zonas/ejemplo.es/registros/www/A', www)).status).toBe(200)
  expect((await api('POST', '/clientes/acme/acceso', { correo: 'ana@cliente.es' })).status).toBeLessThan(300)
  const { link } = await panel.mailTo('ana@cliente.es')
  customer = await enrol(panel, link ?? '', 'ana@cliente.es')
  browser = await startBrowser()
  desk = await deskOf(browser, panel, admin)
  page = desk.page
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

describe('the list of zones', () => {
  test('makes a zone for a client and leads into it', async () => {
    await page.goto(`${panel.origin}/panel/zonas`)
    await button('New zone').click()
    await page.getByLabel('Client', { exact: true }).fill('otra')
    await page.getByLabel('Zone', { exact: true }).fill('nueva.es')
    await page.getByRole('radio', { name: /Empty/ }).check()
    expect(await axe(page)).toEqual([])
    await button('Create the zone').click()
    await page.getByRole('heading', { level: 1, name: 'nueva.es' }).waitFor()
    expect((await api('GET', '/zonas/nueva.es')).body).toMatchObject({ cliente: 'otra', registros: 2 })
  })

  test('finds a zone by its beginning', async () => {
    await page.goto(`${panel.origin}/panel/zonas`)
    await page.getByRole('link', { name: 'nueva.es' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByLabel('Part of the name').fill('eje')
    await page.getByRole('link', { name: 'nueva.es' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'ejemplo.es' }).count()).toBe(1)
  })

  test('deletes a zone only once its name is typed', async () => {
    await page.goto(`${panel.origin}/panel/zonas/nueva.es/registros`)
    await button('Delete').click()
    expect(await button('Delete the zone').isDisabled()).toBe(true)
    await page.getByText('This cannot be undone: a zone does not go to the bin.').waitFor()
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Save it as a file').click()])
    expect(await Bun.file(await saved.path()).text()).toMatch(/^\$ORIGIN nueva\.es\.\n@\t\d+\tIN\tSOA\t/)
    await page.getByLabel('Type nueva.es to confirm').fill('nueva.es')
    await button('Delete the zone').click()
    await page.getByRole('heading', { level: 1, name: 'DNS zones' }).waitFor()
    expect((await api('GET', '/zonas/nueva.es')).status).toBe(404)
  })
})

describe('the record editor', () => {
  test('says while typing what is wrong, and what will be answered', async () => {
    await open()
    await button('Add a record').click()
    await page.getByLabel('Type', { exact: true }).selectOption('MX')
    await box('Mail server').fill('mail')
    await box('Priority').fill('ten')
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await box('Mail server').fill('10 mail')
    expect(await box('Priority').inputValue()).toBe('10')
    await page.locator('.rr-served', { hasText: '10 mail.ejemplo.es.' }).waitFor()
    expect(await axe(page)).toEqual([])
    await button('Add').click()
    await button('Change MX @').waitFor()
    expect(await values('@', 'MX')).toEqual(['10 mail.ejemplo.es.'])
  })

  test('does not send what breaks a rule', async () => {
    await open()
    await button('Add a record').click()
    await page.getByLabel('Name', { exact: true }).fill('www')
    await page.getByLabel('Type', { exact: true }).selectOption('CNAME')
    await box('Target').fill('otra.net.')
    await button('Add').click()
    await page.getByText('A CNAME stands alone at its name').waitFor()
    expect(await values('www', 'CNAME')).toBeNull()
  })

  test('adds to what is there instead of replacing it', async () => {
    await open()
    await button('Add a record to www (A)').click()
    expect(await page.getByText('is there already').count()).toBe(0)
    await box('IPv4 address').fill('192.0.2.77')
    await page.getByText('Yours is added to what this name has as A').waitFor()
    await button('Add').click()
    await page.getByText('192.0.2.77').first().waitFor()
    await button('Change A www').waitFor()
    expect(await values('www', 'A')).toEqual(['127.0.0.1', '192.0.2.77'])
  })

  test('adds a text beside another, of the TTL that is there, and takes it back alone', async () => {
    const spf = { ttl: 300, valores: ['"v=spf1 -all"'] }
    await api('PUT', '/zonas/ejemplo.es/registros/@/TXT', spf)
    await open()
    await button('Add a record').click()
    await page.getByLabel('Type', { exact: true }).selectOption('TXT')
    await box('Text').fill('google-site-verification=abc')
    await page.getByText('Yours is added to what this name has as TXT').waitFor()
    await page.getByText('ejemplo.es. 300 TXT "google-site-verification=abc"').waitFor()
    await button('Add').click()
    await button('Add').waitFor({ state: 'detached' })
    expect(await values('@', 'TXT')).toEqual(['"v=spf1 -all"', '"google-site-verification=abc"'])
    await page.locator('.rr-history').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('google-site-verification=abc').first().waitFor({ state: 'detached' })
    expect(await values('@', 'TXT')).toEqual(['"v=spf1 -all"'])
  })

  test('takes a change back at once, also before the zone is read again', async () => {
    await open()
    await button('Add a record').click()
    await page.getByLabel('Name', { exact: true }).fill('prisa')
    await box('IPv4 address').fill('192.0.2.9')
    const { promise: read, resolve: letGo } = Promise.withResolvers<void>()
    const records = /\/api\/zonas\/ejemplo\.es\/registros(\?|$)/
    await page.route(records, async (route) => {
      await read
      await route.continue()
    })
    await button('Add').click()
    await button('Add').waitFor({ state: 'detached' })
    expect(await values('prisa', 'A')).toEqual(['192.0.2.9'])
    await page.locator('.rr-history').getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(async () => (await values('prisa', 'A')) === null, 'the change taken back')
    letGo()
  })

  test('says at once that a name has one CNAME, and sends nothing', async () => {
    await api('PUT', '/zonas/ejemplo.es/registros/alias/CNAME', { ttl: 300, valores: ['uno.net.'] })
    await open()
    await button('Add a record').click()
    await page.getByLabel('Name', { exact: true }).fill('alias')
    await page.getByLabel('Type', { exact: true }).selectOption('CNAME')
    await box('Target').fill('dos.net.')
    await button('Add').click()
    await page.locator('[aria-invalid="true"]').waitFor()
    expect(await values('alias', 'CNAME')).toEqual(['uno.net.'])
    await button('Edit those instead').click()
    expect(await box('Target 1').inputValue()).toBe('uno.net.')
    await api('DELETE', '/zonas/ejemplo.es/registros/alias/CNAME')
  })

  test('undoes the last changes, newest first', async () => {
    await open()
    for (const nombre of ['uno', 'dos']) {
      await button('Add a record').click()
      await page.getByLabel('Name', { exact: true }).fill(nombre)
      await box('IPv4 address').fill('192.0.2.7')
      await button('Add').click()
      await button(`Change A ${nombre}`).waitFor()
    }
    const undo = page.locator('.rr-history').getByRole('button', { name: 'Undo' })
    await undo.click()
    await button('Change A dos').waitFor({ state: 'detached' })
    expect([await values('uno', 'A'), await values('dos', 'A')]).toEqual([['192.0.2.7'], null])
    await undo.click()
    await button('Change A uno').waitFor({ state: 'detached' })
    expect(await values('uno', 'A')).toBeNull()
  })

  test('deletes a record set, and gives it back', async () => {
    await open()
    const before = await values('www', 'A')
    expect(before).toContain('127.0.0.1')
    await button('Delete A www').click()
    await page.locator('.rr-open').getByRole('button', { name: 'Delete', exact: true }).click()
    // The form takes the place of the row: only the list of changes tells that it is done.
    await page.locator('.rr-history-line', { hasText: 'A www deleted' }).waitFor()
    expect(await values('www', 'A')).toBeNull()
    await page.locator('.rr-history').getByRole('button', { name: 'Undo' }).click()
    await button('Delete A www').waitFor()
    expect(await values('www', 'A')).toEqual(before)
  })

  test('shows a change that somebody else made meanwhile, and overwrites it only when told to', async () => {
    await open()
    await button('Change MX @').click()
    await box('Mail server').fill('10 mine')
    await api('PUT', '/zonas/ejemplo.es/registros/@/MX', { ttl: 600, valores: ['5 theirs.net.'] })
    await button('Save').click()
    await button('See what changed').click()
    await page.getByText('Someone changed this record set in the meantime.').waitFor()
    expect(await page.locator('.note', { hasText: '5 theirs.net.' }).count()).toBe(1)
    expect(await axe(page)).toEqual([])
    expect(await values('@', 'MX')).toEqual(['5 theirs.net.'])
    await button('Keep mine, in its place').click()
    await button('Save').click()
    await button('Change MX @').waitFor()
    expect(await values('@', 'MX')).toEqual(['10 mine.ejemplo.es.'])
  })

  test('changes the TTL of several record sets, and deletes them, each as one change that is taken back', async () => {
    for (const nombre of ['lote1', 'lote2'])
      await api('PUT', `/zonas/ejemplo.es/registros/${nombre}/TXT`, { ttl: 300, valores: ['x'] })
    const ttls = async () => {
      const { body } = await api('GET', '/zonas/ejemplo.es/registros')
      return body.datos
        .filter(({ nombre }: Rrset) => nombre.startsWith('lote'))
        .map((one: { ttl: number }) => one.ttl)
    }
    const chooseBoth = async () => {
      for (const nombre of ['lote1', 'lote2']) await page.getByLabel(`Select TXT ${nombre}`).check()
    }
    const undo = page.locator('.notices').getByRole('button', { name: 'Undo' })
    await open()
    await page.getByRole('button', { name: /^TXT / }).click()
    await button('Change MX @').waitFor({ state: 'detached' })
    await chooseBoth()
    expect(await axe(page)).toEqual([])
    await page.locator('.rr-bulk').getByLabel('TTL').fill('2h')
    await button('Set TTL').click()
    await page.locator('.rr-bulk').waitFor({ state: 'detached' })
    expect(await ttls()).toEqual([7200, 7200])
    await chooseBoth()
    await page.locator('.rr-bulk').getByRole('button', { name: 'Delete' }).click()
    await button('Change TXT lote1').waitFor({ state: 'detached' })
    expect(await ttls()).toEqual([])
    expect(await values('@', 'MX')).toEqual(['10 mine.ejemplo.es.'])
    await undo.last().click()
    await button('Change TXT lote2').waitFor()
    expect(await ttls()).toEqual([7200, 7200])
  })

  test('takes the host name out of an address that is pasted as a target', async () => {
    await open()
    await button('Add a record').click()
    await page.getByLabel('Name', { exact: true }).fill('tienda2')
    await page.getByLabel('Type', { exact: true }).selectOption('CNAME')
    await box('Target').fill('https://shops.example.com/cart')
    await page.getByText('Taken from https://shops.example.com/cart').waitFor()
    await button('Add').click()
    await button('Change CNAME tienda2').waitFor()
    expect(await values('tienda2', 'CNAME')).toEqual(['shops.example.com.'])
  })

  test('shows every change as a command', async () => {
    await open()
    await button('Change A www').click()
    await page.getByText('Show as API call').click()
    const command = await page.locator('.command pre').textContent()
    expect(command).toContain("curl -X PUT '")
    expect(command).toContain('/api/zonas/ejemplo.es/registros/www/A')
  })
})

describe('what people paste', () => {
  const LAST_FIELD: Record<string, string> = {
    MX: 'Mail server',
    CNAME: 'Target',
    SRV: 'Target',
    TXT: 'Text',
  }
  const add = async (nombre: string, tipo: string, valor: string) => {
    await open()
    await button('Add a record').click()
    await page.getByLabel('Name', { exact: true }).fill(nombre)
    await page.getByLabel('Type', { exact: true }).selectOption(tipo)
    await box(LAST_FIELD[tipo] ?? 'IPv4 address').fill(valor)
  }
  const pasteAt = async (field: string, text: string) => {
    await box(field).focus()
    await box(field).evaluate((input, data) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', data)
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }

  test.each([
    ['correo', 'MX', '10 aspmx.l.google.com', '10 aspmx.l.google.com.'],
    ['tienda', 'CNAME', 'shops.myshopify.com', 'shops.myshopify.com.'],
    ['_sip._tls', 'SRV', '100 1 443 sipdir.online.lync.com', '100 1 443 sipdir.online.lync.com.'],
    ['interno', 'CNAME', 'www.ejemplo.es', 'www.ejemplo.es.'],
    ['corto', 'CNAME', 'www', 'www.ejemplo.es.'],
    ['spf', 'TXT', 'v=spf1 include:_spf.google.com ~all', '"v=spf1 include:_spf.google.com ~all"'],
  ])('%s %s %p is published as %p', async (nombre, tipo, valor, answer) => {
    await add(nombre, tipo, valor)
    await page.locator('.rr-served', { hasText: `${nombre}.ejemplo.es. 3600 ${tipo} ${answer}` }).waitFor()
    await button('Add').click()
    await button(`Change ${tipo} ${nombre}`).waitFor()
    expect(await values(nombre, tipo)).toEqual([answer])
  })

  test('a name that ends in the name of the zone is not put below it', async () => {
    await add('blog.ejemplo.es', 'A', '192.0.2.8')
    await page.locator('.rr-served', { hasText: 'blog.ejemplo.es. 3600 A 192.0.2.8' }).waitFor()
    await button('Add').click()
    await button('Change A blog').waitFor()
    expect(await values('blog.ejemplo.es', 'A')).toBeNull()
    expect(await values('blog', 'A')).toEqual(['192.0.2.8'])
  })

  test('a record whose name was doubled before is changed where it stands', async () => {
    await api('PUT', '/zonas/ejemplo.es/registros/viejo.ejemplo.es/A', { ttl: 600, valores: ['192.0.2.1'] })
    await open()
    await button('Change A viejo.ejemplo.es').click()
    await box('IPv4 address').fill('192.0.2.2')
    await button('Save').click()
    await button('Save').waitFor({ state: 'detached' })
    expect(await values('viejo.ejemplo.es', 'A')).toEqual(['192.0.2.2'])
    expect(await values('viejo', 'A')).toBeNull()
  })

  test('a target with two likely readings is asked for before anything is sent', async () => {
    await api('PUT', '/zonas/ejemplo.es/registros/sub/A', { ttl: 600, valores: ['192.0.2.1'] })
    await add('doble', 'CNAME', 'mail.sub')
    await page.getByText('Which name is meant?').waitFor()
    await button('Add').click()
    await page.getByText('Choose one of the two.').waitFor()
    expect(await values('doble', 'CNAME')).toBeNull()
    expect(await axe(page)).toEqual([])
    await page.getByLabel('mail.sub.ejemplo.es.').check()
    await button('Add').click()
    await button('Change CNAME doble').waitFor()
    expect(await values('doble', 'CNAME')).toEqual(['mail.sub.ejemplo.es.'])
  })

  test('a target that looks whole is one of the zone where that is said', async () => {
    await add('dentro', 'CNAME', 'cdn.example.com')
    await button('It is a name below ejemplo.es').click()
    await page.locator('.rr-served', { hasText: 'cdn.example.com.ejemplo.es.' }).waitFor()
    await button('Add').click()
    await button('Change CNAME dentro').waitFor()
    expect(await values('dentro', 'CNAME')).toEqual(['cdn.example.com.ejemplo.es.'])
  })

  test('a line of a zone file fills the fields', async () => {
    await open()
    await button('Add a record').click()
    await pasteAt('Name', 'linea.ejemplo.es. 300 IN MX 10 aspmx.l.google.com.')
    await page.getByText('Read as a line of a zone file.').waitFor()
    await page.locator('.rr-served', { hasText: 'linea.ejemplo.es. 300 MX 10 aspmx.l.google.com.' }).waitFor()
    await pasteAt('Mail server', 'linea IN MX 20 alt1.aspmx.l.google.com')
    await button('Add').click()
    await button('Change MX linea').waitFor()
    expect(await values('linea', 'MX')).toEqual(['10 aspmx.l.google.com.', '20 alt1.aspmx.l.google.com.'])
  })

  test('lines of several record sets are not taken for one', async () => {
    await open()
    await button('Add a record').click()
    await pasteAt('IPv4 address', 'a IN A 192.0.2.1\nb IN A 192.0.2.2')
    await page.getByText('import them as a file').waitFor()
    expect(await box('IPv4 address').inputValue()).toBe('')
  })
})

describe('the zone file', () => {
  test('is looked at before it replaces the zone, and can be taken back', async () => {
    await open('archivo')
    await box('Zone file').fill('www 300 IN A 192.0.2.9\nhola IN TXT "hello"\n')
    await button('Preview').click()
    await page.locator('.diff-added', { hasText: 'hola TXT' }).waitFor()
    expect(await page.locator('.diff-deleted').count()).toBeGreaterThan(0)
    expect(await values('hola', 'TXT')).toBeNull()
    expect(await axe(page)).toEqual([])
    await button(/Replace the zone/).click()
    await page.locator('.diff-counts').waitFor({ state: 'detached' })
    expect(await values('hola', 'TXT')).toEqual(['"hello"'])
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page.locator('.rr-history').getByRole('button', { name: 'Undo' }).click()
    await button('Change MX @').waitFor()
    expect(await values('hola', 'TXT')).toBeNull()
  })

  test('names the lines that are refused', async () => {
    await open('archivo')
    await box('Zone file').fill('www IN A 300.1.1.1\n')
    await button('Preview').click()
    await page.getByRole('table', { name: 'Refused lines' }).waitFor()
    expect(await button(/Replace the zone/).count()).toBe(0)
  })

  test('is downloaded as it is served', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download').click()])
    expect(download.suggestedFilename()).toBe('ejemplo.es.zone')
    expect(await readFile(await download.path(), 'utf8')).toContain('$ORIGIN ejemplo.es.')
  })
})

test('signing shows the DS records, and ends only after a confirmation', async () => {
  await open('dnssec')
  await button('Sign the zone').click()
  await page.locator('.zone-ds code').first().waitFor()
  const { ds } = (await api('GET', '/zonas/ejemplo.es')).body.dnssec
  expect(await page.locator('.zone-ds code').allTextContents()).toEqual(ds)
  expect(await axe(page)).toEqual([])
  expect(await button('Stop signing').isDisabled()).toBe(true)
  await page.getByRole('checkbox').check()
  await button('Stop signing').click()
  await button('Sign the zone').waitFor()
})

test('a customer edits its own zone on a telephone, in the dark, and cannot touch the mirror', async () => {
  const phone = await deskOf(browser, panel, customer, { width: 360, dark: true, locale: 'es-ES' })
  await phone.page.goto(`${panel.origin}/panel/zonas/ejemplo.es/registros`)
  await phone.page.getByRole('button', { name: 'Cambiar A www' }).click()
  // A row that the bar at the top half covers has half a target.
  await phone.page.evaluate(() => scrollTo(0, 0))
  expect(await axe(phone.page)).toEqual([])
  expect(await overflow(phone.page)).toBeLessThanOrEqual(0)
  for (const tab of ['dnssec', 'archivo', 'espejo']) {
    await phone.page.goto(`${panel.origin}/panel/zonas/ejemplo.es/${tab}`)
    await phone.page.getByRole('heading', { level: 2 }).first().waitFor()
    expect([tab, ...(await axe(phone.page)), await overflow(phone.page)]).toEqual([tab, 0])
  }
  await phone.page.getByText('Esta zona no tiene espejo').waitFor()
  expect(await phone.page.getByRole('button', { name: 'Espejar', exact: true }).count()).toBe(0)
  expect(phone.faults).toEqual([])
  await phone.close()
})

test('no error was written to the console, and no request left the panel', () => {
  expect(desk.faults).toEqual([])
})
