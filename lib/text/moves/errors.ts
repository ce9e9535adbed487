import type { Words } from '../words.ts'

/** What refusals of moves to another node say. */
export const MOVE_MESSAGES = {
  en_mudanza: {
    en: 'The account is changing its node, which takes seconds: try again.',
    es: 'La cuenta está cambiando de nodo, lo que tarda segundos: pruebe otra vez.',
  },
  mudanza_no_existe: {
    en: 'The account is not changing its node.',
    es: 'La cuenta no está cambiando de nodo.',
  },
  mudanza_impedida: {
    en: 'The account cannot move there: the other node lacks something that it needs.',
    es: 'La cuenta no se puede mudar allí: al otro nodo le falta algo que necesita.',
  },
  mudanza_fallida: {
    en: 'The move failed while the account was closed; it is served again where it was.',
    es: 'La mudanza falló mientras la cuenta estaba cerrada; se sirve otra vez donde estaba.',
  },
  mudanza_ilegible: {
    en: 'Not moved: the account itself may not read {objetos}, or it lies more than 256 folders deep, so it would have stayed behind. The account is served where it was. Have it make that readable (chmod u+r, for folders u+rx) or delete it, and move it again.',
    es: 'No se ha mudado: la propia cuenta no puede leer {objetos}, o está a más de 256 carpetas de profundidad, así que se habría quedado atrás. La cuenta se sirve donde estaba. Haga que lo vuelva legible (chmod u+r; en carpetas, u+rx) o lo borre, y múdela otra vez.',
  },
  mudanza_incompleta: {
    en: 'Not moved: {objetos} could not be copied, so it would have stayed behind. The account is served where it was; its newest copy says why.',
    es: 'No se ha mudado: no se pudo copiar {objetos}, así que se habría quedado atrás. La cuenta se sirve donde estaba; su copia más reciente dice por qué.',
  },
  mudanza_sin_confirmar: {
    en: 'Its last move, to {nodo}, still waits to be confirmed. Confirm it or take it back first: on its page, or by POST …/mudar/confirmar or DELETE …/mudar.',
    es: 'Su última mudanza, a {nodo}, aún está sin confirmar. Confírmela o deshágala antes: en su página, o con POST …/mudar/confirmar o DELETE …/mudar.',
  },
} satisfies Record<string, Words>
