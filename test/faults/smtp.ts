import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Mail, parseMail } from '../support/mails.ts'

/** How the server takes a message: it refuses the sender; at RCPT it refuses, defers, takes or takes slowly; after DATA it may drop the connection, or refuse quoting what it read. */
export type Mood = 'takes' | 'sender' | 'slow' | 'refuses' | 'defers' | 'drops' | 'quotes'

export const USER = 'panel@correo'
export const SMTP_PASSWORD = 'canary-smtp/password'

/** How long a slow server thinks about a recipient. */
export const SLOW_MS = 4_000

/** A real SMTP server on loopback with STARTTLS and AUTH, and everything that it was handed. */
export class SmtpSink {
  readonly received: (Mail & {
    raw: string
    secure: boolean
    user: string
    returnPath: string
    recipients: string[]
  })[] = []
  /** Passwords that arrived on a connection that was not encrypted. */
  readonly leaked: string[] = []
  /** Times that a message was begun, whatever became of it. */
  tries = 0
  mood: Mood = 'takes'
  readonly #server: SMTPServer

  private constructor(server: SMTPServer) {
    this.#server = server
  }

  static async start(options: { starttls?: boolean; trusted?: boolean } = {}): Promise<SmtpSink> {
    const { starttls = true } = options
    const { cert, key } = await loopbackCertificate()
    const server = new SMTPServer({
      cert,
      key,
      authOptional: false,
      allowInsecureAuth: !starttls,
      hideSTARTTLS: !starttls,
      disabledCommands: starttls ? [] : ['STARTTLS'],
      onAuth({ username, password }, session, done) {
        if (!session.secure) sink.leaked.push(password ?? '')
        if (password !== SMTP_PASSWORD) return done(new Error('wrong password'))
        done(undefined, { user: username ?? '' })
      },
      onMailFrom(_address, _session, done) {
        if (sink.mood !== 'sender') return done()
        done(Object.assign(new Error('sender not yours'), { responseCode: 553 }))
      },
      onRcptTo(_address, _session, done) {
        sink.tries++
        if (sink.mood === 'refuses')
          return done(Object.assign(new Error('no such user canary'), { responseCode: 550 }))
        if (sink.mood === 'defers') return done(Object.assign(new Error('greylisted'), { responseCode: 451 }))
        if (sink.mood === 'slow') return void setTimeout(done, SLOW_MS)
        done()
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks)
          void parseMail(raw).then((mail) => {
            sink.received.push({
              ...mail,
              raw: raw.toString(),
              secure: session.secure,
              user: String(session.user),
              returnPath: (session.envelope.mailFrom || { address: '' }).address,
              recipients: session.envelope.rcptTo.map(({ address }) => address),
            })
            // The message was taken, and nobody will ever know.
            if (sink.mood === 'drops') return void sink.#drop()
            if (sink.mood === 'quotes')
              return done(Object.assign(new Error(`spam: ${mail.text}`), { responseCode: 554 }))
            done()
          })
        })
      },
    })
    server.on('error', () => {})
    const sink = new SmtpSink(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return sink
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port // It listens on TCP.
  }

  get url(): string {
    return `smtp://${encodeURIComponent(USER)}:${encodeURIComponent(SMTP_PASSWORD)}@localhost:${this.port}`
  }

  to(address: string) {
    return this.received.filter(({ to }) => to === address)
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#drop()
      this.#server.close(() => resolve())
    })
  }

  #drop(): void {
    for (const connection of this.#server.connections) {
      const { _socket } = connection as unknown as { _socket: { destroy(): void } } // The library keeps it there.
      _socket.destroy()
    }
  }
}
