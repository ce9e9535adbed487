import { and, eq, isNull, sql } from 'drizzle-orm'
import { persons, tokens } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { isActivated, type Person } from './decide.ts'
import type { PersonView } from './shapes.ts'

/** All that a view of admins is selected from. */
export function selectAdmins(db: Db) {
  return db
    .select({
      person: persons,
      tokens: sql<number>`(select count(*) from ${tokens} where ${and(eq(tokens.creatorId, persons.id), isNull(tokens.revokedAt))})`,
    })
    .from(persons)
}

/** The admin as it is returned. */
export function personView({ person, tokens }: { person: Person; tokens: number }): PersonView {
  return {
    id: person.id,
    correo: person.email,
    rol: 'admin',
    estado: !person.active ? 'inactiva' : isActivated(person) ? 'activa' : 'pendiente',
    segundo_factor: person.totpSecret !== null,
    tokens,
    creado: wireTime(person.createdAt),
    ultimo_acceso: wireTime(person.lastLoginAt),
  }
}

/** The view of one admin. */
export function adminReading(db: Db, id: string): Reading<PersonView> {
  return reading(selectAdmins(db).where(eq(persons.id, id)), ([row]) => {
    if (!row) throw new AppError('persona_no_existe')
    return personView(row)
  })
}

/** Whether no admin has ever completed a sign-up: the panel is as it was installed. */
export async function isFirstStart(db: Db): Promise<boolean> {
  const row = await db
    .select({ id: persons.id })
    .from(persons)
    .where(and(eq(persons.role, 'admin'), sql`${persons.passwordHash} is not null`))
    .get()
  return row === undefined
}

/** The admin that waits for its first link and has no address yet. */
export async function firstAdmin(db: Db): Promise<Person | undefined> {
  return db
    .select()
    .from(persons)
    .where(and(eq(persons.role, 'admin'), isNull(persons.email)))
    .get()
}
