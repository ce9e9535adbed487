import { AppError } from '../endpoint/errors.ts'
import { placesOf } from './challenge.ts'
import { seenIn, type Told, type Verdict } from './judge.ts'

const ASK_AGAIN_SECONDS = 5

type About = {
  name: string
  /** What the record has to hold. */
  value: string | undefined
  verdict: Verdict
  told: readonly Told[]
  /** The node's addresses. */
  addresses: string[]
}

/** 409 `dominio_sin_probar` with the record to set, or 503 with it where the resolvers did not answer. */
export function unprovenError({ name, value, verdict, told, addresses }: About): AppError {
  const { at, shared } = placesOf(name)
  const extra = {
    domain: name,
    prueba: { nombre: at, tipo: 'TXT', valor: value },
    ...(shared === at ? {} : { tambien_en: shared }),
    visto: seenIn(told),
    esperado: addresses,
  }
  return verdict === 'sin_respuesta'
    ? new AppError('no_disponible', { ...extra, retryAfterSeconds: ASK_AGAIN_SECONDS })
    : new AppError('dominio_sin_probar', extra)
}
