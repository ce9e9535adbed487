import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Authenticator, certifiedStatement, type Twist } from '../support/authenticator.ts'
import { type Json, Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { newAdmin, newCustomer, outcome, ROOMY } from './people.ts'
import { count, everything, plant } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const KEYS = '/yo/llaves-de-acceso'
const bearerOf = ({ bearer }: SignedIn) => ({ bearer })

const begin = (person: SignedIn, contrasena = PASSWORD) =>
  panel.api('POST', `${KEYS}/reto`, { ...bearerOf(person), body: { contrasena } })
async function optionsFor(person: SignedIn): Promise<Json> {
  const begun = await begin(person)
  expect(begun.status).toBe(200)
  return begun.body.opciones
}
const add = (person: SignedIn, credencial: Json, nombre = 'Móvil') =>
  panel.api('POST', KEYS, { ...bearerOf(person), body: { nombre, credencial } })
/** A new passkey of a person. */
async function newKey(person: SignedIn, nombre = 'Móvil') {
  const key = new Authenticator(panel.origin)
  const added = await add(person, key.create(await optionsFor(person)), nombre)
  expect(added.status).toBe(201)
  return { key, id: added.body.id as string }
}
const listed = async (person: SignedIn) => (await panel.api('GET', KEYS, bearerOf(person))).body.datos
const challenge = async () => (await panel.access('/llave-de-acceso/reto')).body.opciones
const enter = (credencial: Json) => panel.access('/llave-de-acceso', { credencial })
const enterBy = async (key: Authenticator, twist: Twist = {}) => enter(key.get(await challenge(), twist))
const remove = (person: SignedIn, id: string, contrasena = PASSWORD) =>
  panel.api('DELETE', `${KEYS}/${id}`, { ...bearerOf(person), body: { contrasena } })

describe('a passkey', () => {
  test('is added, signs in without an address or a code, is told by mail, and removed', async () => {
    const ana = await newCustomer(panel, token, 'ana')
    const options = await optionsFor(ana)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'ana@cliente.es (ana)' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const key = new Authenticator(panel.origin)
    const added = await add(ana, key.create(options), 'Móvil de Ana')
    expect(added.headers.get('location')).toBe(`/api${KEYS}/${added.body.id}`)
    const shown = { id: added.body.id, nombre: 'Móvil de Ana', sincronizada: true, host: 'localhost' }
    expect(added.body).toEqual({ ...shown, creado: expect.any(String), ultimo_uso: null })
    const mail = await panel.mailTo('ana@cliente.es', 2)
    expect(mail.subject).toContain('llave de acceso')
    expect(mail.text).toContain('«Móvil de Ana»')
    expect(mail.text).toStartWith('Hola:')

    const asked = await challenge()
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const inside = await enter(key.get(asked))
    expect(inside.body).toEqual({
      sesion: expect.stringMatching(/^cps_/),
      caduca: expect.any(String),
      persona: { correo: 'ana@cliente.es', rol: 'client', cliente: 'ana' },
      formatos: { idioma: 'es', region: null, zona_horaria: null },
    })
    expect(inside.headers.getSetCookie()[0]).toMatch(/^__Host-panel=/)
    expect((await listed(ana))[0].ultimo_uso).toEqual(expect.any(String))
    const theirs = { ...ana, bearer: inside.body.sesion }
    expect((await remove(theirs, added.body.id)).body).toMatchObject(shown)
    expect(await listed(theirs)).toEqual([])
    expect(outcome(await enterBy(key))).toEqual([401, 'llave_incorrecta'])
    // Whoever had it may have been inside: every other session has ended.
    expect(outcome(await panel.api('GET', '/yo', bearerOf(ana)))).toEqual([401, 'sesion_terminada'])

    const { body } = await panel.api('GET', '/auditoria?limite=20', { bearer: token })
    const mine = body.datos.filter(({ actor }: Json) => actor.nombre === 'ana@cliente.es').slice(0, 4)
    expect(mine.map((one: Json) => [one.operacion, one.resultado, one.objeto])).toEqual([
      ['DELETE /yo/llaves-de-acceso/<id>', 'hecho', added.body.id],
      ['POST /llave-de-acceso', 'hecho', expect.stringMatching(/^per_/)],
      ['POST /yo/llaves-de-acceso', 'hecho', added.body.id],
      ['POST /yo/llaves-de-acceso/reto', 'hecho', null],
    ])
    const events = await panel.api('GET', '/eventos?limite=200', { bearer: token })
    const told = events.body.datos.filter((one: Json) => one.objeto === added.body.id)
    expect(told.map((one: Json) => [one.tipo, one.cliente, one.datos])).toEqual([
      ['llave.creada', 'ana', { nombre: 'Móvil de Ana' }],
      ['llave.eliminada', 'ana', { nombre: 'Móvil de Ana' }],
    ])
  })

  test('needs the password to be added and to be removed, and a session of its owner', async () => {
    const boss = await newAdmin(panel, admin, 'jefa@ejemplo.es')
    expect(outcome(await begin(boss, 'no es esta frase'))).toEqual([403, 'contrasena_incorrecta'])
    const { id } = await newKey(boss)
    expect(outcome(await remove(boss, id, 'no es esta frase'))).toEqual([403, 'contrasena_incorrecta'])
    expect(outcome(await remove(admin, id))).toEqual([404, 'llave_no_existe'])
    for (const [method, path] of [
      ['GET', KEYS],
      ['POST', `${KEYS}/reto`],
      ['POST', KEYS],
      ['DELETE', `${KEYS}/${id}`],
    ] as const)
      expect(outcome(await panel.api(method, path, { bearer: token }))).toEqual([403, 'no_con_token'])
    expect(await listed(boss)).toHaveLength(1)
  })

  test('leaves tokens alone where it is added, and revokes an admin’s where it is removed', async () => {
    const boss = await newAdmin(panel, admin, 'tokens@ejemplo.es')
    const own = await newToken(panel, boss)
    const { id } = await newKey(boss)
    const uses = () => panel.api('GET', '/conexion', { bearer: own })
    expect((await uses()).status).toBe(200)
    await remove(boss, id)
    expect(outcome(await uses())).toEqual([401, 'token_revocado'])
  })

  test('is one of at most twenty, and of one person alone', async () => {
    const boss = await newAdmin(panel, admin, 'veinte@ejemplo.es')
    const first = new Authenticator(panel.origin)
    expect((await add(boss, first.create(await optionsFor(boss)))).status).toBe(201)
    expect(outcome(await add(admin, first.create(await optionsFor(admin))))).toEqual([409, 'ya_existe'])
    plant(
      panel,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 19)
       insert into passkeys select 'lla_' || i, person_id, 'c' || i, public_key, 0, '[]', 0, host, name, created_at, null
       from n, passkeys where credential_id = ?`,
      first.id.toString('base64url'),
    )
    expect(outcome(await begin(boss))).toEqual([409, 'demasiadas_llaves'])
  })

  test('is stored without anything that signs, and its challenges as hashes', async () => {
    const options = await optionsFor(admin)
    const { challenge: asked } = await challenge()
    const held = everything(panel)
    for (const one of [options.challenge, asked]) {
      expect(held).not.toContain(one)
      expect(held).not.toContain(Buffer.from(one, 'base64url').toString('latin1'))
    }
  })
})

test('of more challenges than anybody needs at once the oldest are forgotten, but none for a new passkey', async () => {
  const { key } = await newKey(admin)
  const forNew = await optionsFor(admin)
  const soon = Math.floor(Date.now() / 1000) * 1000 + 60_000
  plant(
    panel,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 7000)
     insert into passkey_challenges (hash, person_id, expires_at) select randomblob(32), null, ? + i from n`,
    soon + 600_000,
  )
  const first = await challenge()
  await challenge()
  const held = () => count(panel, 'select count(*) from passkey_challenges where person_id is null')
  expect(held()).toBeLessThan(5_100)
  expect((await enter(key.get(first))).status).toBe(401)
  plant(panel, 'update passkey_challenges set expires_at = ? where person_id is null', soon)
  expect((await enterBy(key)).status).toBe(200)
  expect((await add(admin, new Authenticator(panel.origin).create(forNew))).status).toBe(201)
  plant(panel, 'delete from passkey_challenges')
})

describe('a new passkey is refused', () => {
  const twists: [string, Twist][] = [
    ['made for another origin', { origin: 'https://localhost.evil.es' }],
    ['made for another port of the same host', { origin: 'https://localhost' }],
    ['made for another host name', { host: 'evil.es' }],
    ['whose holder was not verified', { unverified: true }],
    ['whose holder was not there', { absent: true }],
    ['that is an assertion', { type: 'webauthn.get' }],
    ['that a maker vouches for', { format: 'packed', statement: certifiedStatement(Buffer.alloc(64)) }],
    [
      'of a kind that has certificates checked',
      { format: 'tpm', statement: certifiedStatement(Buffer.alloc(64)) },
    ],
  ]
  test.each(twists)('%s', async (_, twist) => {
    const before = count(panel, 'select count(*) from passkeys')
    const options = await optionsFor(admin)
    const key = new Authenticator(panel.origin)
    const refused = await add(admin, key.create(options, twist))
    expect(refused.body.campos).toMatchObject([{ campo: 'credencial', codigo: 'llave_de_acceso_invalida' }])
    // Its challenge is used up.
    expect(outcome(await add(admin, key.create(options)))).toEqual([401, 'paso_invalido'])
    expect(count(panel, 'select count(*) from passkeys')).toBe(before)
  })

  test('for a challenge of somebody else, of a sign-in, used or too old', async () => {
    const other = await newAdmin(panel, admin, 'otra@ejemplo.es')
    const key = () => new Authenticator(panel.origin)
    const options = await optionsFor(admin)
    const anyones = await challenge()
    expect(outcome(await add(other, key().create(options)))).toEqual([401, 'paso_invalido'])
    expect(outcome(await add(admin, key().create(options, anyones)))).toEqual([401, 'paso_invalido'])
    expect((await add(admin, key().create(options))).status).toBe(201)
    expect(outcome(await add(admin, key().create(options)))).toEqual([401, 'paso_invalido'])
    const late = await optionsFor(admin)
    await panel.setClock(301)
    expect(outcome(await add(admin, key().create(late)))).toEqual([401, 'paso_invalido'])
  })

  test('in one that is framed by another site', async () => {
    const credential = new Authenticator(panel.origin).create(await optionsFor(admin), { crossOrigin: true })
    expect(outcome(await add(admin, credential))).toEqual([401, 'paso_invalido'])
  })
})

describe('a sign-in by passkey is refused', () => {
  let boss: SignedIn
  let key: Authenticator
  beforeAll(async () => {
    boss = await newAdmin(panel, admin, 'entrada@ejemplo.es')
    key = (await newKey(boss)).key
  })

  const twists: [string, Twist][] = [
    ['for another origin', { origin: 'https://evil.es' }],
    ['for another port of the same host', { origin: 'https://localhost:1' }],
    ['for another host name', { host: 'evil.es' }],
    ['without its holder verified', { unverified: true }],
    ['without its holder there', { absent: true }],
    ['signed by another key', { otherKey: true }],
    ['as a registration', { type: 'webauthn.create' }],
    ['in the name of somebody else', { userHandle: Buffer.from('per_other').toString('base64url') }],
    ['in the name of nobody', { userHandle: undefined }],
  ]
  test.each(twists)('%s', async (_, twist) => {
    const asked = await challenge()
    expect(outcome(await enter(key.get(asked, twist)))).toEqual([401, 'llave_incorrecta'])
    expect(outcome(await enter(key.get(asked)))).toEqual([401, 'paso_invalido'])
    expect((await enterBy(key)).status).toBe(200)
  })

  test('with a passkey that nobody added', async () => {
    const options = await optionsFor(boss)
    const stranger = new Authenticator(panel.origin)
    stranger.create(options)
    expect(outcome(await enterBy(stranger))).toEqual([401, 'llave_incorrecta'])
  })

  test('with a counter that does not go on, as a copied key has it', async () => {
    expect((await enterBy(key, { counter: 1000 })).status).toBe(200)
    for (const counter of [1000, 999, 0])
      expect(outcome(await enterBy(key, { counter }))).toEqual([401, 'llave_incorrecta'])
    expect((await enterBy(key, { counter: 1001 })).status).toBe(200)
  })

  test('with a challenge that was used, is too old, is of a registration or was never given', async () => {
    const asked = await challenge()
    const credential = key.get(asked)
    expect((await enter(credential)).status).toBe(200)
    expect(outcome(await enter(credential))).toEqual([401, 'paso_invalido'])
    expect(outcome(await enter(key.get(asked, { challenge: 'AAAA' })))).toEqual([401, 'paso_invalido'])
    const registration = await optionsFor(boss)
    expect(outcome(await enter(key.get({ ...asked, challenge: registration.challenge })))).toEqual([
      401,
      'paso_invalido',
    ])
    const late = await challenge()
    await panel.setClock(301)
    expect(outcome(await enter(key.get(late)))).toEqual([401, 'paso_invalido'])
  })

  test('of which one wins, where the same is sent at once', async () => {
    const credential = key.get(await challenge())
    const all = await Promise.all(Array.from({ length: 8 }, () => enter(credential)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('but its holder is let in while somebody who guesses codes has to wait, and goes on waiting', async () => {
    const { body } = await panel.access('/entrar', { correo: boss.email, contrasena: PASSWORD })
    for (let i = 0; i < 5; i++)
      await panel.access('/segundo-factor', { paso_token: body.paso_token, codigo: '000000' })
    expect((await enterBy(key)).status).toBe(200)
    const again = await panel.access('/entrar', { correo: boss.email, contrasena: PASSWORD })
    const waits = await panel.access('/segundo-factor', {
      paso_token: again.body.paso_token,
      codigo: '000000',
    })
    expect(outcome(waits)).toEqual([429, 'espera'])
    expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(0)
    await panel.setClock(40)
  })

  test('once its owner is disabled, and after that for good', async () => {
    const off = await newAdmin(panel, admin, 'apagada@ejemplo.es')
    const { key: theirs } = await newKey(off)
    const set = (activa: boolean) =>
      panel.api('PATCH', `/personas/${off.id}`, { bearer: admin.bearer, body: { activa } })
    await set(false)
    expect(outcome(await enterBy(theirs))).toEqual([401, 'llave_incorrecta'])
    await set(true)
    expect(outcome(await enterBy(theirs))).toEqual([401, 'llave_incorrecta'])
    expect(count(panel, 'select count(*) from passkeys where person_id = ?', off.id)).toBe(0)
  })

  test('once an admin has taken its owner’s second factor away', async () => {
    const bea = await newCustomer(panel, token, 'bea')
    const { key: theirs } = await newKey(bea)
    const gone = await panel.api('DELETE', '/clientes/bea/acceso/segundo-factor', {
      bearer: admin.bearer,
      body: { contrasena: PASSWORD },
    })
    expect(gone.status).toBe(200)
    expect(outcome(await enterBy(theirs))).toEqual([401, 'llave_incorrecta'])
  })
})

test('all passkeys lost, password and authenticator still sign in; a reset of the password takes passkeys away', async () => {
  const boss = await newAdmin(panel, admin, 'perdida@ejemplo.es')
  const { key } = await newKey(boss)
  const step = await panel.access('/entrar', { correo: boss.email, contrasena: PASSWORD })
  const inside = await panel.access('/segundo-factor', {
    paso_token: step.body.paso_token,
    codigo: await codeOf(panel, boss.totp, 1),
  })
  expect(inside.status).toBe(200)
  const { lines } = await panel.command('admin', 'invitar', '--correo', boss.email)
  const spent = await panel.access('/enlace/gastar', {
    enlace: lines[0].enlace.split('#')[1],
    contrasena: 'otra frase larga y rara 8',
  })
  expect(spent.body.paso).toBe('segundo_factor')
  expect(outcome(await enterBy(key))).toEqual([401, 'llave_incorrecta'])
})
