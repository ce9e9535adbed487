import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { persons, tokens } from '../schema/tables.ts'
import type { Db } from './database.ts'
import { AppError } from './errors.ts'
import { isActivated, type Person } from './logins.ts'
import { wireTime } from './page.ts'
import { type Reading, reading } from './reading.ts'
import type { PersonView } from './shapes.ts'

/** An admin by id; 404 for a customer's login too, which is managed through its client. */
export async function findAdmin(db: Db, id: string): Promise<Person> {
  const row = await db
    .select()
    .from(persons)
    .where(and(eq(persons.id, id), eq(persons.role, 'admin')))
    .get()
  if (!row) throw new AppError('persona_no_existe')
  return row
}

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

/** Refuses to leave the panel without an admin who can sign in. */
export async function requireAnotherAdmin(db: Db, id: string): Promise<void> {
  const other = await db
    .select({ id: persons.id })
    .from(persons)
    .where(
      and(
        eq(persons.role, 'admin'),
        eq(persons.active, true),
        ne(persons.id, id),
        sql`${persons.passwordHash} is not null`,
        sql`${persons.totpSecret} is not null`,
      ),
    )
    .get()
  if (!other) throw new AppError('ultimo_administrador')
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
