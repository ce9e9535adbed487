import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { createSpool, mailOf } from '../../deploy/node/mail/spool.ts'

const PROGRAM = resolve(import.meta.dir, '../../deploy/node/mail/sendmail.pl')
/** The calls by which a message is read, in this order. */
const READING = ['openSync', 'fstatSync', 'readSync', 'readSync', 'closeSync'] as const
const MIB = 1_048_576
const NOW = new Date('2026-11-22T12:00:00Z')
let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'mail-'))
})
afterAll(() => rmSync(base, { recursive: true }))

/** A spool of one client, 7, that nobody else has. */
function world() {
  const layout = createLayout(mkdtempSync(join(base, 'w')))
  mkdirSync(layout.client(7), { recursive: true })
  mkdirSync(layout.fpm)
  const identity = { root: null, web: null, customer: () => null, accessLists: null }
  const spool = createSpool(layout, identity)
  spool.open(7)
  const directory = mailOf(layout, 7)
  // As in the cage, where the two are beside each other.
  symlinkSync(layout.toldOfMail(7), `${directory}.day`)
  const send = (args: string[], message: string | Buffer) =>
    spawnSync('/usr/bin/perl', [PROGRAM, ...args], {
      input: message,
      env: { PANEL_SPOOL: directory },
      encoding: 'utf8',
    })
  const only = () => {
    const [name = '', ...more] = spool.due(7, NOW)
    expect(more).toEqual([])
    return spool.read(7, name)
  }
  return { spool, directory, send, only, names: () => readdirSync(directory).sort() }
}

/** Does something just before the n-th call of a reading. */
function beforeCall<Read>(n: number, meddle: () => void, reading: () => Read): Read {
  const spies: { mockRestore(): void }[] = []
  const allow = () => {
    for (const spy of spies.splice(0)) spy.mockRestore()
  }
  const seen: string[] = []
  for (const name of new Set(READING)) {
    const real = Reflect.get(fs, name) as (...all: unknown[]) => unknown
    const counted = (...all: unknown[]) => {
      if (seen.push(name) === n + 1) {
        allow()
        meddle()
      }
      return real(...all)
    }
    spies.push(spyOn(fs, name).mockImplementation(counted as never))
  }
  try {
    const read = reading()
    if (seen.length <= n) throw new Error('there is no such call')
    return read
  } finally {
    allow()
  }
}

describe('what a program hands to sendmail', () => {
  test.each([
    [
      '-t takes recipients from To, Cc and Bcc, and Bcc is left out',
      ['-t', '-i'],
      'To: "Uno, S.L." <uno@a.es>,\n dos@b.es (Dos)\nCc: tres@c.es\nBcc: cuatro@d.es\nSubject: Hola\n\ncuerpo\n.\nfin\n',
      ['uno@a.es', 'dos@b.es', 'tres@c.es', 'cuatro@d.es'],
      'To: "Uno, S.L." <uno@a.es>,\n dos@b.es (Dos)\nCc: tres@c.es\nSubject: Hola\n\ncuerpo\n.\nfin\n',
    ],
    [
      'without -t only its arguments are recipients',
      ['-oi', '-f', 'yo@x.es', '--', 'uno@a.es'],
      'To: otro@b.es\nSubject: x\n\ny',
      ['uno@a.es'],
      'To: otro@b.es\nSubject: x\n\ny',
    ],
    [
      'lines that end in CR LF are taken too',
      ['-t'],
      'To: uno@a.es\r\nSubject: x\r\n\r\ny\r\n',
      ['uno@a.es'],
      'To: uno@a.es\nSubject: x\n\ny\n',
    ],
    [
      'a CR that ends no line for all is a line end',
      ['-t'],
      'To: uno@a.es\nSubject: x\rFrom: y@b.es\n\n\r.\r',
      ['uno@a.es'],
      'To: uno@a.es\nSubject: x\nFrom: y@b.es\n\n\n.\n',
    ],
    ['a body may be empty', ['-t'], 'To: uno@a.es\n', ['uno@a.es'], 'To: uno@a.es\n\n'],
  ])('%s', (_, args, message, to, text) => {
    const { send, only } = world()
    expect(send(args, message)).toMatchObject({ status: 0, stderr: '' })
    const mail = only()
    expect(mail?.to).toEqual(to)
    expect(Buffer.from(mail?.message ?? []).toString()).toBe(text)
  })

  test.each([
    ['without a recipient', ['-t'], 'Subject: x\n\ny', 65],
    ['to an address that is none', ['-t'], 'To: nobody\n\ny', 65],
    [
      'to more than a thousand',
      ['--', ...Array.from({ length: 1001 }, (_, i) => `a${i}@b.es`)],
      'Subject: x\n\ny',
      65,
    ],
    ['with a head that is none', ['-t'], 'To: uno@a.es\nthis is no field\n\ny', 65],
    [
      'larger than 10 MiB',
      ['-t'],
      Buffer.concat([Buffer.from('To: uno@a.es\n\n'), Buffer.alloc(10_485_760)]),
      65,
    ],
    ['as a server', ['-bs'], '', 64],
  ])('is refused %s, and leaves nothing', (_, args, message, status) => {
    const { send, names } = world()
    const result = send(args, message)
    expect(result.status).toBe(status)
    expect(result.stderr).toStartWith('sendmail: ')
    expect(names()).toEqual([])
  })

  test('is refused where no mail is sent', () => {
    const { send, directory } = world()
    rmSync(directory, { recursive: true })
    expect(send(['-t'], 'To: uno@a.es\n\ny')).toMatchObject({ status: 69 })
  })
})

describe('what a customer puts into its spool by other ways', () => {
  const whole = 'uno@a.es\n\nSubject: x\n\ny'
  test.each([
    ['a link to a file of somebody else', (path: string) => symlinkSync('/etc/passwd', path)],
    [
      'a second name of a file',
      (path: string) => {
        writeFileSync(join(base, 'other'), whole)
        linkSync(join(base, 'other'), path)
      },
    ],
    ['a directory', (path: string) => void mkdirSync(path)],
    ['a pipe that nobody writes to', (path: string) => void spawnSync('/usr/bin/mkfifo', [path])],
    ['a file that is too large', (path: string) => writeFileSync(path, Buffer.alloc(12 * 1024 * 1024))],
    [
      'a recipient with a line end in it',
      (path: string) => writeFileSync(path, 'uno@a.es\rRCPT TO:<dos@b.es>\n\ny'),
    ],
    [
      'options of the protocol behind a recipient',
      (path: string) => writeFileSync(path, 'uno@a.es> SIZE=1\n\ny'),
    ],
    ['1,001 recipients', (path: string) => writeFileSync(path, `${'uno@a.es\n'.repeat(1001)}\ny`)],
    [
      'a million recipients, of which the first would do',
      (path: string) => writeFileSync(path, `${'a@b.co\n'.repeat(1_500_000)}\ny`),
    ],
    ['an empty file', (path: string) => writeFileSync(path, '')],
  ])('is never sent: %s', (_, put) => {
    const { spool, directory, names } = world()
    put(join(directory, '1-bad'))
    writeFileSync(join(directory, '2-good'), whole)
    expect(spool.due(7, NOW)).toEqual(['1-bad', '2-good'])
    expect(spool.read(7, '1-bad')).toBeNull()
    expect(spool.due(7, NOW)).toEqual(['2-good'])
    expect(names()).toContain('unsent-1-bad')
    rmSync(join(base, 'other'), { force: true })
  })

  test('is no mail while its name is not one that the panel’s sendmail gives', () => {
    const { spool, directory } = world()
    for (const name of ['.1-x', 'unsent-1', 'x', '1-a b', '1'.repeat(101)])
      writeFileSync(join(directory, name), whole)
    expect(spool.waiting()).toEqual([])
  })
})

describe('what a customer does to hold the panel up with its spool:', () => {
  test('tens of thousands of names are not looked through, and mail goes again once they are gone', () => {
    const { spool, directory, send } = world()
    const pathOf = (name: number) => join(directory, `1000000000000-${name}`)
    writeFileSync(pathOf(0), '')
    // Names of one file: as many files would take the test much longer.
    for (let name = 1; name < 27_000; name++) linkSync(pathOf(0), pathOf(name))
    expect([spool.waiting(), spool.due(7, NOW).length]).toEqual([[], 0])
    for (let name = 0; name < 27_000; name++) unlinkSync(pathOf(name))
    expect(spool.waiting()).toEqual([])
    expect(send(['-t'], 'To: uno@a.es\n\ny').status).toBe(0)
    expect(spool.waiting()).toEqual([7])
  }, 120_000)

  test('a message that grows while it is read is read no further than it was allowed to be', () => {
    const { spool, directory } = world()
    const read = (n: number): number | null => {
      const path = join(directory, `${n}-grows`)
      writeFileSync(path, 'uno@a.es\n\ny')
      return beforeCall(
        n,
        () => fs.truncateSync(path, 80 * MIB),
        () => spool.read(7, `${n}-grows`)?.message.length ?? null,
      )
    }
    // Grown before it is opened or looked at, it is too large; from then on it is what it was.
    const found = [0, 1, 2, 3, 4].map(read)
    expect(found).toEqual([null, null, 1, 1, 1])
    expect(() => read(READING.length)).toThrow('there is no such call')
  }, 60_000)
})

test('of a million recipients only the first ones are read', () => {
  const { spool, directory } = world()
  writeFileSync(join(directory, '1-bad'), `${'a@b.co\n'.repeat(1_500_000)}\ny`)
  const before = process.memoryUsage().rss
  expect(spool.read(7, '1-bad')).toBeNull()
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
})

test('a file that its owner holds a lease on is put aside, and what follows is read', async () => {
  const { spool, directory } = world()
  writeFileSync(join(directory, '1-lease'), 'uno@a.es\n\nSubject: x\n\ny')
  writeFileSync(join(directory, '2-good'), 'uno@a.es\n\nSubject: x\n\ny')
  const program =
    'use Fcntl; open my $f, "+<", $ARGV[0] or die; fcntl($f, 1024, 1) or die "$!"; $SIG{IO} = "IGNORE"; $| = 1; print "held"; sleep 30'
  const holder = Bun.spawn(['/usr/bin/perl', '-e', program, join(directory, '1-lease')], { stdout: 'pipe' })
  const { value } = await holder.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('held')
  expect(spool.read(7, '1-lease')).toBeNull()
  expect(spool.read(7, '2-good')?.to).toEqual(['uno@a.es'])
  holder.kill()
  await holder.exited
})

test('a message that the server does not take is tried again at growing intervals, and at last stays for its owner to see', () => {
  const { spool, send, names } = world()
  send(['-t'], 'To: uno@a.es\n\ny')
  const [name = ''] = spool.due(7, NOW)
  let at = NOW
  let tries = 1
  while (spool.postpone(7, { name, later: ['uno@a.es'], refused: 0 }, at)) {
    tries += 1
    expect(spool.due(7, at)).toEqual([])
    at = new Date(at.getTime() + 3_600_000)
    expect(tries).toBeLessThan(100)
  }
  expect(tries).toBe(28)
  expect(names()).toEqual([`unsent-${name}`])
  expect(spool.unsent(7)).toBe(1)
})

describe('where the server takes some of the recipients', () => {
  const begun = (refused: number) => {
    const { names, only, send, spool } = world()
    send(['-t'], 'To: uno@a.es, dos@a.es, tres@a.es\n\ny')
    const [name = ''] = spool.due(7, NOW)
    spool.postpone(7, { name, later: ['dos@a.es'], refused }, NOW)
    return { names, only, spool, name, at: new Date(NOW.getTime() + 61_000) }
  }

  test('only the others are tried again', () => {
    const { spool, name, names, at } = begun(0)
    expect(spool.due(7, at)).toEqual([name])
    expect(spool.read(7, name)?.to).toEqual(['dos@a.es'])
    spool.sent(7, name, 0)
    expect(names()).toEqual([])
  })

  test('a message that it refused to one of them stays for its owner to see', () => {
    const { spool, name, names } = begun(1)
    spool.sent(7, name, 0)
    expect(names()).toEqual([`unsent-${name}`])
  })
})

describe('what is left of the day', () => {
  const to = (many: number) => ['--', ...Array.from({ length: many }, (_, i) => `a${i}@b.es`)]

  test('counts each recipient, those of waiting messages too, and more is refused at once', () => {
    const { spool, send } = world()
    spool.tell(7, 5)
    expect(send(to(3), 'Subject: x\n\ny').status).toBe(0)
    expect(send(to(3), 'Subject: x\n\ny')).toMatchObject({
      status: 69,
      stderr: 'sendmail: the limit of recipients in 24 hours is reached\n',
    })
    expect(send(to(2), 'Subject: x\n\ny').status).toBe(0)
    spool.tell(7, 6)
    expect(send(to(1), 'Subject: x\n\ny').status).toBe(0)
  })

  test('counts a message that is being handed over once', () => {
    const { spool, send } = world()
    spool.tell(7, 2)
    send(to(1), 'Subject: x\n\ny')
    const [name = ''] = spool.due(7, NOW)
    spool.tell(7, 1, name)
    expect(send(to(1), 'Subject: x\n\ny').status).toBe(0)
    expect(send(to(1), 'Subject: x\n\ny').status).toBe(69)
  })

  test('is not exceeded by twenty programs at once', async () => {
    const { spool, directory, names } = world()
    spool.tell(7, 7)
    const one = async () => {
      const child = Bun.spawn(['/usr/bin/perl', PROGRAM, '-t'], {
        stdin: Buffer.from('To: uno@a.es\n\ny'),
        stderr: 'ignore',
        env: { PANEL_SPOOL: directory },
      })
      return child.exited
    }
    const codes = await Promise.all(Array.from({ length: 20 }, one))
    expect(codes.filter((code) => code === 0)).toHaveLength(7)
    expect(names()).toHaveLength(7)
  })

  test('is nothing where the plan has no mail', () => {
    const { spool, send, names } = world()
    spool.tell(7, 0)
    expect(send(to(1), 'Subject: x\n\ny').status).toBe(69)
    expect(names()).toEqual([])
  })
})

test('what was put aside a month ago is removed', () => {
  const { spool, directory, names } = world()
  const named = (days: number) =>
    `unsent-${String(Math.floor(Date.now() / 1000) - 86_400 * days).padStart(11, '0')}-x`
  for (const name of [named(31), named(29), 'unsent-own']) writeFileSync(join(directory, name), '')
  expect(spool.unsent(7)).toBe(2)
  expect(names()).toEqual([named(29), 'unsent-own'].sort())
})
