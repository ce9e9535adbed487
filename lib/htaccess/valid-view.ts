import * as v from 'valibot'
import type { SiteRedirect } from '../../schema/clients.ts'
import {
  errorPagesInput,
  guardsInput,
  indexInput,
  redirectRows,
  redirectsInput,
  redirectsView,
} from '../sites/rules-shapes.ts'
import type { Reason } from './reasons.ts'

/** Whether `PATCH /sitios/<domain>` would take a setting. */

/** A redirect as it would be stored; refused like one that is sent to `PATCH /sitios/<domain>`. */
export function validRedirect(wanted: SiteRedirect): { redirect: SiteRedirect } | { refused: Reason } {
  const { success, output, issues } = v.safeParse(redirectsInput, redirectsView([wanted]))
  const [redirect] = success ? redirectRows(output) : []
  if (redirect) return { redirect }
  return { refused: issues?.some(({ path }) => path?.at(-1)?.key === 'de') ? 'muy_honda' : 'destino' }
}

export function validGuard({ path, user }: { path: string; user: string }) {
  const { success, output } = v.safeParse(guardsInput, [{ ruta: path, usuario: user }])
  const [guard] = success ? output : []
  return guard ? { path: guard.ruta, user: guard.usuario } : null
}

export const validPage = (status: string, page: string): boolean =>
  v.safeParse(errorPagesInput, { [status]: page }).success

export const validIndex = (names: string[]): boolean => v.safeParse(indexInput, names).success
