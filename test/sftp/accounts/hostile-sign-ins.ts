import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { greets } from '../../../deploy/node/sftp/service.ts'
import { daemon, giveNative } from '../../support/native.ts'
import type { Json } from '../../support/panel.ts'
import { eventually } from '../../support/wait.ts'
import { account, done, endOf, newClient, panel, port, rootOf, tools, visit } from './world.ts'

/** Runs sshd as a customer again and again, under the name of a session of another's account. */
const impostors = (root: string, account: string) => `cd ${root}
  ssh-keygen -q -t ed25519 -N '' -f llave
  printf 'HostKey %s/llave\\nPidFile none\\nUsePAM no\\nLoginGraceTime 0\\n' "$PWD" > conf
  mkfifo nada; exec 3<>nada
  for one in 1 2 3 4 5 6; do
    (while :; do (exec -a 'sshd: ${account}' /usr/sbin/sshd -i -r -f "$PWD/conf" <&3 >/dev/null 2>&1); done) &
  done; wait`

test('programs of another customer that call themselves sessions of an account keep nothing from being changed', async () => {
  await newClient('farsa', 'farsa.es')
  await newClient('blanco', 'blanco.es')
  const login = await account('blanco', 'blanco')
  const root = await rootOf('farsa.es')
  giveNative(root)
  const body = daemon(impostors(root, 'blanco'))
  await fetch(`http://127.0.0.1:${panel.httpPort}/n.php`, {
    method: 'POST',
    body,
    headers: { host: 'farsa.es' },
  })
  const running = () => Number(Bun.spawnSync(['pgrep', '-fc', '^sshd: blanco -i']).stdout.toString())
  await eventually(async () => running() > 2, 'impostors')
  const session = await tools.open(login)
  expect(await endOf(session, () => done('POST', '/clientes/blanco/suspender'))).toBeLessThan(1_000)
  expect((await visit('blanco.es', '/')).status).toBe(503)
  await eventually(async () => running() > 0, 'impostors that nobody ended')
  const { datos } = await done('GET', '/tareas?cliente=blanco')
  expect(datos.filter(({ estado, error }: Json) => estado !== 'hecha' || error !== null)).toEqual([])
  await done('DELETE', '/clientes/farsa')
}, 60_000)

test('whoever holds all places to sign in of an address does not have the server taken for dead', async () => {
  const held = Array.from({ length: 12 }, () => connect({ host: '127.0.0.1', port }))
  const said = new Promise<string>((resolve) => {
    for (const one of held) {
      one.on('error', () => {})
      one.on('data', (part) => String(part).startsWith('Exceeded') && resolve(String(part)))
    }
  })
  expect(await said).toStartWith('Exceeded MaxStartups')
  expect(await greets('127.0.0.1', port)).toBe(true)
  for (const one of held) one.destroy()
}, 60_000)

test('twenty addresses that hold all their places to sign in keep nobody else out', async () => {
  await newClient('sereno', 'sereno.es')
  const login = { ...(await account('sereno', 'sereno')), address: '127.0.1.99' }
  const from = Array.from({ length: 20 }, (_, at) => `127.0.1.${at + 1}`)
  const held = from.flatMap((localAddress) =>
    Array.from({ length: 10 }, () => connect({ host: '127.0.0.1', port, localAddress })),
  )
  let greeted = 0
  for (const one of held) {
    one.on('error', () => {})
    one.once('data', (part) => String(part).startsWith('SSH-') && greeted++)
  }
  await eventually(async () => greeted === held.length, 'all of their places', 20_000)
  for (let time = 0; time < 3; time++) expect((await tools.sftp(login, 'pwd')).code).toBe(0)
  for (const one of held) one.destroy()
}, 60_000)
