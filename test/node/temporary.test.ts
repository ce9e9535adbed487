import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, statfsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../support/wait.ts'
import { startNode, type TestNode } from './support.ts'

const MIB = 1_048_576
const SENT = 4 * MIB
let node: TestNode
const open: Socket[] = []

/** What nginx keeps for a while lies on a disk of its own here, so that every byte of it is seen. */
beforeAll(async () => {
  node = await startNode({}, false)
  const { base, nginx } = node.node.layout
  for (const path of [base, nginx]) mkdirSync(path, { mode: 0o711 })
  for (const path of temporary()) {
    mkdirSync(path)
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=512m,mode=777', 'tmpfs', path])
  }
  await node.node.start()
  for (let client = 1; client <= 6; client++) {
    await node.client(client)
    await node.site(client, client * 10, `c${client}.es`)
    node.put(
      client,
      client * 10,
      'grande.php',
      '<?php for ($i = 0; $i < 640; $i++) echo str_repeat("x", 65536);',
    )
    node.put(client, client * 10, 'subir.php', '<?php echo strlen(file_get_contents("php://input"));')
  }
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await eventually(async () => used() < MIB, 'the disk to be free again')
})
afterAll(async () => {
  await node.node.stop()
  for (const path of temporary()) Bun.spawnSync(['umount', '--lazy', path])
  await node[Symbol.asyncDispose]()
})

const temporary = () => ['client_body', 'fastcgi'].map((name) => join(node.node.layout.nginx, name))

function used(): number {
  return temporary()
    .map((path) => statfsSync(path))
    .reduce((sum, { blocks, bfree, bsize }) => sum + (blocks - bfree) * bsize, 0)
}

type Visitor = { socket: Socket; answer: string }

/** A request that is sent and then left alone; `reads` false takes nothing of the answer. */
function visit(text: string, from = '127.0.0.1', reads = true): Visitor {
  const socket = connect({ port: node.options.httpPort, host: '127.0.0.1', localAddress: from })
  const visitor = { socket, answer: '' }
  open.push(socket)
  socket.on('error', () => undefined)
  socket.write(text)
  if (reads) socket.on('data', (part) => (visitor.answer += part.toString('latin1')))
  else
    socket.once('data', () => {
      visitor.answer = 'began'
      socket.pause()
    })
  return visitor
}

/** An upload of which four megabytes come, and then nothing more. */
function upload(host: string, from: string): Visitor {
  const visitor = visit(
    `POST /subir.php HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${60 * MIB}\r\n\r\n`,
    from,
  )
  visitor.socket.write(Buffer.alloc(SENT, 1))
  return visitor
}

/** Waits until so many of them have sent what they send and the others are refused. */
async function expectTaken(uploads: Visitor[], most: number): Promise<void> {
  const refused = () => uploads.filter(({ answer }) => answer.startsWith('HTTP/1.1 429')).length
  await eventually(
    async () => uploads.length - refused() === most && used() > most * SENT * 0.9,
    `${most} uploads to be taken and the others to be refused`,
  )
  expect(used()).toBeLessThan((most + 1) * SENT)
}

test('slow readers of long answers take no disk, and another site is served meanwhile', async () => {
  const request = 'GET /grande.php HTTP/1.1\r\nHost: c1.es\r\n\r\n'
  for (let i = 0; i < 12; i++) {
    const reader = visit(request, '127.0.0.1', false)
    // A client has eight workers; the rest wait for one.
    if (i < 8) await eventually(async () => reader.answer !== '', 'an answer to begin')
  }
  const other = await fetch(`http://127.0.0.1:${node.options.httpPort}/grande.php`, {
    headers: { host: 'c2.es' },
  })
  expect((await other.arrayBuffer()).byteLength).toBe(640 * 65_536)
  expect(used()).toBeLessThan(MIB)
})

test('large uploads at once are four from an address, and another address still sends its own', async () => {
  await expectTaken(
    Array.from({ length: 20 }, () => upload('c1.es', '127.0.0.1')),
    4,
  )
  const other = node.get('c1.es', '/subir.php', [
    '--interface',
    '127.0.0.9',
    '--data-binary',
    'x'.repeat(2000),
  ])
  expect([other.status, other.body]).toEqual([200, '2000'])
})

test('large uploads at once are eight to a client and thirty-two to a node, from however many addresses', async () => {
  const one = Array.from({ length: 20 }, (_, i) => upload('c1.es', `127.0.1.${i + 1}`))
  await expectTaken(one, 8)
  const all = Array.from({ length: 60 }, (_, i) => upload(`c${(i % 5) + 2}.es`, `127.0.2.${i + 1}`))
  await expectTaken([...one, ...all], 32)
  expect(node.get('c2.es', '/').status).toBe(200)
})

async function pass(stdin: Bun.FileSink): Promise<void> {
  stdin.write(new Uint8Array(MIB))
  await stdin.flush()
}

test('a body that is not announced is refused before it takes disk, and small posts pass', async () => {
  const { httpsPort } = node.options
  const curl = Bun.spawn(
    [
      'curl',
      '-sSk',
      '--http2',
      '-m',
      '15',
      '-X',
      'GET',
      '-T',
      '-',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '--resolve',
      `c1.es:${httpsPort}:127.0.0.1`,
      `https://c1.es:${httpsPort}/subir.php`,
    ],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' },
  )
  let most = 0
  for (let i = 0; i < 64 && curl.exitCode === null; i++) {
    // Refused, it reads no more.
    const sent = pass(curl.stdin)
    await Promise.race([sent.catch(() => undefined), curl.exited])
    most = Math.max(most, used())
  }
  await Promise.resolve(curl.stdin.end()).catch(() => undefined)
  expect(await new Response(curl.stdout).text()).toBe('413')
  expect(most).toBeLessThan(MIB)
  const post = ['--http2', '--data-binary', 'x'.repeat(90_000)]
  expect(node.getSecure('c1.es', '/subir.php', post).body).toBe('90000')
  expect(node.getSecure('c1.es', '/subir.php').body).toBe('0')
})
