import type { PLACES } from '../../schema/states.ts'
import { t } from './language.ts'
import type { Tone } from './states.ts'

type Place = (typeof PLACES)[number]

/** Where a name leads, in words. */
export function placeWords(place: Place): { tone: Tone; label: string } {
  const words: Record<Place, [Tone, string, string]> = {
    aqui: ['good', 'points here', 'apunta aquí'],
    parcial: ['warn', 'points here and elsewhere', 'apunta aquí y a otro sitio'],
    fuera: ['warn', 'points elsewhere', 'apunta a otro sitio'],
    cambiando: ['busy', 'is changing: not all resolvers know yet', 'está cambiando: aún no lo saben todos'],
    sin_registros: ['warn', 'has no address yet', 'aún no tiene dirección'],
    sin_respuesta: ['warn', 'could not be looked up', 'no se pudo consultar'],
  }
  const [tone, en, es] = words[place]
  return { tone, label: t(en, es) }
}
