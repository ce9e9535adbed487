import type { Person } from './decide.ts'

/** What a person reads in, and how dates and numbers are written there. */
export const waysView = ({
  language,
  country,
  timeZone,
}: Pick<Person, 'language' | 'country' | 'timeZone'>) => ({
  idioma: language,
  region: country,
  zona_horaria: timeZone,
})

/** Whose session it is, and how its screens write. */
export const accountView = (person: Person, client: string | null) => ({
  persona: { correo: person.email, rol: person.role, cliente: client },
  formatos: waysView(person),
})
