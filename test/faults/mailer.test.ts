import { expect, test } from 'bun:test'
import { smtpMailer } from '../../deploy/node/mail/mailer.ts'
import { Secret } from '../../lib/secrets/secret.ts'

const MAIL = {
  from: 'panel@panel.test',
  to: 'ana@cliente.es',
  subject: 'Hola',
  text: 'Hola',
  html: '<p>Hola</p>',
  messageId: '<1@panel.test>',
  language: 'es' as const,
}

test('a mail server that answers a line at a time without end is given up', async () => {
  const timers = new Set<ReturnType<typeof setInterval>>()
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (socket) => void timers.add(setInterval(() => socket.write('220-wait\r\n'), 20)),
      data: () => {},
    },
  })
  try {
    const mailer = smtpMailer(new Secret(`smtp://127.0.0.1:${server.port}`), 300)
    const started = performance.now()
    await expect(mailer.send(MAIL)).rejects.toThrow('took longer than 0.3 s')
    expect(performance.now() - started).toBeLessThan(5_000)
  } finally {
    for (const timer of timers) clearInterval(timer)
    server.stop(true)
  }
})
