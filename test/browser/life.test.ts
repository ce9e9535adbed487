import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { codeOf, PASSWORD } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'

let panel: Panel
let browser: Browser
let admin: Visitor
let customer: Visitor
let token = ''
let adminSecret = ''
const ADMIN = 'admin@ejemplo.es'
const CUSTOMER = 'ana@bodega-luz.es'

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await Visitor.come(browser, panel)
  customer = await Visitor.come(browser, panel, { locale: 'en-GB' })
}, 60_000)

afterAll(async () => {
  await browser.close()
  await panel.stop()
})

test('the first admin chooses a password, enrols a second factor and is signed in', async () => {
  const { page } = admin
  await admin.go(panel.firstLink?.replace(panel.origin, '') ?? '')
  expect(new URL(page.url()).hash).toBe('')
  await admin.field('Su correo').fill(ADMIN)
  await admin.field('Contraseña').fill('corta')
  await page.getByText('Fortaleza: Demasiado corta').waitFor()
  await admin.button('Guardar la contraseña').click()
  // What is too short is not even sent; it is said once, and the form goes on.
  await page.getByText('Al menos 12 caracteres.').waitFor()
  expect(await page.getByText(/12 caracteres|Demasiado corta/).count()).toBe(1)
  expect(admin.requests.some(({ url }) => url.endsWith('/enlace/gastar'))).toBe(false)
  await admin.field('Contraseña').fill(PASSWORD)
  await page.getByText('Fortaleza: Fuerte').waitFor()
  await admin.button('Guardar la contraseña').click()
  await page.getByRole('img', { name: 'Código QR para la aplicación' }).waitFor()
  adminSecret = (await admin.text(page.locator('.totp code'))).replaceAll(' ', '')
  await admin.field('Código').fill(await codeOf(panel, adminSecret))
  await page.getByRole('heading', { name: 'Códigos de recuperación' }).waitFor()
  expect(await page.locator('.codes li').count()).toBe(10)
  await admin.button('Copiar').click()
  expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')).toHaveLength(10)
  await page.getByLabel('Los he guardado').check()
  await admin.button('Continuar').click()
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/panel')
}, 60_000)

test('a spent link says so in plain words and offers the way on', async () => {
  const { page } = customer
  await customer.go(panel.firstLink?.replace(panel.origin, '') ?? '')
  await page.getByRole('heading', { name: 'This link was used already' }).waitFor()
  await page.getByText('that password is saved: sign in with it to go on').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByText(/used or replaced|Details/).count()).toBe(0)
  await customer.button('Send me another link').waitFor()
  expect(page.url()).not.toContain('#')
})

test('a reload renews the session by the cookie; the bearer is stored nowhere', async () => {
  const { page } = admin
  await page.reload()
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor()
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(kept).not.toMatch(/cps_|cpt_/)
})

test('a token is made with a name and an expiry, shown once, and works', async () => {
  const { page } = admin
  await page.getByRole('link', { name: 'Tokens de API' }).click()
  await admin.button('Nuevo token').first().click()
  await admin.dialog.getByLabel('Nombre').fill('facturación')
  await admin.button('Crear el token').click()
  await admin.dialog.getByText('Solo se muestra ahora').waitFor()
  token = await admin.text(admin.dialog.locator('.copy-line code').first())
  await admin.button('Ya la he copiado').click()
  await page.getByRole('cell', { name: 'facturación' }).first().waitFor()
  expect(await page.content()).not.toContain(token)
  const connection = await panel.api('GET', '/conexion', { bearer: token })
  expect(connection.body.credencial).toMatchObject({ tipo: 'token', nombre: 'facturación' })
}, 60_000)

test('a dry run tells what would happen and changes nothing', async () => {
  const { page } = admin
  await admin.go('/panel/planes')
  await admin.button('Plan nuevo').click()
  await admin.dialog.getByLabel('Nombre').fill('básico')
  for (const resource of [
    'Archivos y carpetas',
    'Tráfico al mes',
    'Alias',
    'Zonas DNS',
    'Procesador (100 % = un núcleo)',
    'Memoria',
    'Procesos',
    'Cuentas SFTP',
    'Bases de datos',
    'Espacio de las bases',
    'Tareas programadas',
    'Correos al día',
  ])
    await admin.dialog.getByLabel(`${resource}: sin límite`).check()
  await admin.dialog.getByLabel('Disco', { exact: true }).fill('5 GB')
  await admin.dialog.getByLabel('Sitios', { exact: true }).fill('1')
  await admin.button('Crear').click()
  await page.getByRole('cell', { name: '5 GB' }).waitFor()
  await admin.go('/panel/clientes/nuevo')
  await admin.field('Dominio').fill('bodega-luz.es')
  await admin.field('Correo del cliente').fill(CUSTOMER)
  await admin.field('Nombre de cliente').fill('bodega')
  await admin.field('Nombre visible').fill('Bodega Luz')
  await admin.field('Plan').selectOption('básico')
  await admin.button('Simular').click()
  await page.getByText('Funcionaría. No se ha cambiado nada.').waitFor()
  await page.getByText('sitio creado').waitFor()
  const clients = await panel.api('GET', '/clientes', { bearer: token })
  expect(clients.body.datos).toEqual([])
}, 60_000)

test('one form makes the client, its plan, its site, its zone and its login', async () => {
  const { page } = admin
  await admin.button('Crear todo').click()
  await page.getByRole('heading', { name: 'bodega', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/panel/clientes/bodega/resumen')
  const { body } = await panel.api('GET', '/sitios/bodega-luz.es', { bearer: token })
  expect(body).toMatchObject({ cliente: 'bodega', zona: 'bodega-luz.es' })
  await page.getByRole('link', { name: 'Acceso' }).click()
  await page.getByText(CUSTOMER).first().waitFor()
}, 60_000)

test('the customer opens the link of the mail, enrols, and sees its own plan and use', async () => {
  const { page } = customer
  const { link } = await panel.mailTo(CUSTOMER)
  await page.goto('about:blank')
  await customer.go(`/enlace#${link}`)
  await customer.field('Password').fill(PASSWORD)
  await customer.button('Set the password').click()
  const secret = (await admin.text(page.locator('.totp code'))).replaceAll(' ', '')
  await customer.field('Code').fill(await codeOf(panel, secret))
  await page.getByLabel('I have saved them').check()
  await customer.button('Continue').click()
  await page.getByRole('heading', { name: 'Bodega Luz', level: 1 }).waitFor()
  await page.getByText('Your plan').waitFor()
  const menu = page.getByRole('navigation', { name: 'Main' })
  expect(await menu.getByRole('link').allInnerTexts()).toEqual([
    'Home',
    'Sites',
    'Databases',
    'SFTP access',
    'Backups',
    'Bin',
    'DNS zones',
  ])
}, 60_000)

test('a measurement is shown with its age, and marked when the next one is overdue', async () => {
  const { page } = customer
  await page.getByText('have not been measured yet').waitFor()
  const measure = async (secondsAgo: number) => {
    await panel.setClock(-secondsAgo)
    expect((await panel.command('cron', 'uso')).status).toBe(0)
    await panel.setClock(0)
    await page.reload()
    await page.getByText('Disk measured').waitFor()
  }
  await measure(7200)
  await page.getByText('2 hours ago').waitFor()
  await page.getByText('Overdue').waitFor()
  await measure(0)
  expect(await page.getByText('Overdue').count()).toBe(0)
}, 60_000)

test('a suspension with a reason leaves the customer that reason and its use, and nothing else', async () => {
  const reason = 'Factura 118 impagada'
  await admin.page.getByRole('link', { name: 'Resumen' }).last().click()
  await admin.button('Suspender').click()
  await admin.dialog.getByLabel('Motivo').fill(reason)
  await admin.dialog.getByRole('button', { name: 'Suspender' }).click()
  await admin.page.getByText(reason).waitFor()
  const { page } = customer
  await customer.go('/panel/sitios')
  await page.getByText('Your account is suspended').waitFor()
  await page.getByText(reason).waitFor()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  expect(await page.getByRole('heading', { name: 'Your plan' }).count()).toBe(0)
  await admin.button('Activar').click()
  await admin.dialog.getByRole('button', { name: 'Activar' }).click()
  await eventually(async () => {
    const { body } = await panel.api('GET', '/clientes/bodega', { bearer: token })
    return body.estado === 'activo'
  }, 'the client active again')
}, 60_000)

test('a record is checked while typing, saved, and taken back', async () => {
  const { page } = admin
  await admin.go('/panel/zonas/bodega-luz.es/registros')
  await admin.button('Añadir registro').click()
  await page.getByRole('textbox', { name: 'Nombre', exact: true }).fill('correo')
  await admin.field('Dirección IPv4').fill('192.0.2.300')
  await page.getByText('No es una dirección IPv4.').waitFor()
  await admin.field('Dirección IPv4').fill('192.0.2.30')
  await admin.button('Añadir').click()
  const records = async () => {
    const { body } = await panel.api('GET', '/zonas/bodega-luz.es/registros', { bearer: token })
    return body.datos.map(({ nombre }: { nombre: string }) => nombre)
  }
  await eventually(async () => (await records()).includes('correo'), 'the record')
  await admin.button('Deshacer').first().click()
  await eventually(async () => !(await records()).includes('correo'), 'the record taken back')
}, 60_000)

test('an admin sees the panel as the customer, marked as such, and comes back', async () => {
  const { page } = admin
  await admin.go('/panel/clientes/bodega/resumen')
  await admin.button('Ver como el cliente').click()
  await admin.dialog.getByLabel('Motivo').fill('Pide ayuda con su zona')
  await admin.button('Abrir la sesión').click()
  await page.getByText('Está viendo la cuenta de').waitFor()
  await page.getByRole('heading', { name: 'Bodega Luz', level: 1 }).waitFor()
  await admin.button('Volver a mi cuenta').click()
  await page.getByRole('heading', { name: 'bodega', level: 1 }).waitFor()
  const { body } = await panel.api('GET', '/auditoria?operacion=POST%20%2Fclientes', { bearer: token })
  expect(JSON.stringify(body.datos)).toContain('Pide ayuda con su zona')
}, 60_000)

test('deleting a client takes its name, and then nothing of it is listed', async () => {
  const { page } = admin
  await page.getByRole('link', { name: 'Ajustes' }).click()
  await admin.button('Eliminar…').click()
  const confirm = admin.dialog.getByRole('button', { name: 'Eliminar definitivamente' })
  await admin.dialog.getByLabel('Escriba bodega').fill('bodeg')
  expect(await confirm.isDisabled()).toBe(true)
  await admin.dialog.getByLabel('Escriba bodega').fill('bodega')
  await confirm.click()
  await page.getByText('Aún no hay clientes.').waitFor({ timeout: 15_000 })
  await customer.page.reload()
  await customer.page.getByRole('heading', { name: 'Sign in to the panel' }).waitFor()
}, 60_000)

test('signing out ends the session in every tab and at the panel', async () => {
  const second = await admin.context.newPage()
  await second.goto('/panel/tokens')
  await second.getByRole('heading', { name: 'Tokens de API' }).waitFor()
  await admin.page.getByRole('button', { name: ADMIN }).click()
  await admin.page.getByRole('menuitem', { name: 'Salir' }).click()
  await admin.page.getByRole('heading', { name: 'Entrar en el panel' }).waitFor()
  await second.getByRole('heading', { name: 'Entrar en el panel' }).waitFor()
  const cookies = await admin.context.cookies()
  expect(cookies.filter(({ name }) => name === '__Host-panel')).toEqual([])
}, 60_000)

test('signing in takes password and second factor; a wrong password is told with its request id', async () => {
  const { page } = admin
  await admin.field('Correo').fill(ADMIN)
  await admin.field('Contraseña').fill('equivocada del todo')
  await admin.button('Entrar').click()
  const alert = page.getByRole('alert')
  await alert.getByText('Detalles').click()
  await alert.getByText('credenciales_incorrectas').waitFor()
  expect(await admin.text(alert)).toMatch(/Petición 01[0-9A-Z]{24}/)
  await admin.field('Contraseña').fill(PASSWORD)
  await admin.button('Entrar').click()
  // The step of the enrolment was used, so the next one is taken.
  await admin.field('Código').fill(await codeOf(panel, adminSecret, 1))
  await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor()
}, 60_000)

test('no script failed, the content policy refused nothing, and no request left the panel', () => {
  expect(admin.complaints).toEqual([])
  expect(customer.complaints).toEqual([])
  const strangers = [...admin.requests, ...customer.requests].filter(
    ({ url }) => !url.startsWith(`${panel.origin}/`),
  )
  expect(strangers.filter(({ url }) => !url.startsWith('blob:'))).toEqual([])
})
