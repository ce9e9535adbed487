import { describe, expect, test } from 'bun:test'
import { newCustomer } from '../people.ts'
import { count, plant, rows } from '../store.ts'
import { panel, token } from './world.ts'

describe('a session', () => {
  test('keeps few of its expired bearers, and every one that is still good', async () => {
    const person = await newCustomer(panel, token, 'insistente')
    const id = rows<{ id: string }>(
      panel,
      'select s.id from sessions s join persons p on p.id = s.person_id where p.email = ?',
      person.email,
    )[0]?.id
    const of = (more: string) =>
      count(panel, `select count(*) from session_bearers where session_id = ? ${more}`, id ?? '')
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)'
    const made = "insert into session_bearers select '_' || i || ?, x'00', ?, ? + i from n"
    plant(panel, `${many} ${made}`, 'old', id ?? '', Date.now() - 86_400_000)
    plant(panel, `${many} ${made}`, 'new', id ?? '', Date.now() + 600_000)
    expect((await panel.access('/renovar', undefined, { cookie: person.cookie })).status).toBe(200)
    expect([of("and public_id like '%old'"), of("and public_id like '%new'")]).toEqual([0, 500])
    plant(panel, 'delete from session_bearers where session_id = ? and public_id like ?', id ?? '', '%new')
    expect((await panel.api('GET', '/conexion', { bearer: person.bearer })).status).toBe(200)
  })

  test('is forgotten thirty days after its end, with the address and the browser that it came from', async () => {
    const old = await newCustomer(panel, token, 'pasada')
    const kept = () =>
      count(
        panel,
        'select count(*) from sessions s join persons p on p.id = s.person_id where p.email = ?',
        old.email,
      )
    const expire = async (days: number) => {
      await panel.setClock(days * 86_400)
      expect((await panel.command('cron', 'caducidad')).status).toBe(0)
    }
    await expire(29)
    expect(kept()).toBe(1)
    expect((await panel.api('GET', '/conexion', { bearer: old.bearer })).body.codigo).toBe('sesion_caducada')
    await expire(31)
    expect(kept()).toBe(0)
    expect(
      count(panel, 'select count(*) from session_bearers where session_id not in (select id from sessions)'),
    ).toBe(0)
  })
})
