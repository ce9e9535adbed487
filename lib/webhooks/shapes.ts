import * as v from 'valibot'
import { DELIVERY_FAULTS, DELIVERY_STATES, EVENT_TYPES, WEBHOOK_STOPS } from '../../schema/states.ts'
import { count, id, named, told } from '../endpoint/fields.ts'
import { created, nullable, string, when } from '../endpoint/shapes.ts'
import { TEST_TYPE } from './message.ts'

const type = v.picklist([...EVENT_TYPES, '*'], 'valor_no_admitido')

/** Fields of a body; `webhookUrl` judges the URL. */
export const url = told(
  v.pipe(v.string(), v.minLength(1, 'demasiado_corto'), v.maxLength(2000, 'demasiado_largo')),
  'Where events are posted to: `https://`, without user, password or fragment. A private address only where `PANEL_AVISOS_IPS` has it.',
  'https://facturas.ejemplo.es/avisos',
)
export const tipos = told(
  v.pipe(
    v.array(type, 'tipo_incorrecto'),
    v.minLength(1, 'obligatorio'),
    v.maxLength(EVENT_TYPES.length + 1, 'demasiados'),
  ),
  'The types of events that it is told of; `*` is all of them, also those added later.',
  ['sitio.activo', 'sitio.error'],
)

export const webhookParams = v.strictObject({ id })

const webhookEntries = {
  id: told(string, 'Its key.', 'avi_01JD8Z3K9Q'),
  url: told(string, 'Where events are posted to.', 'https://facturas.ejemplo.es/avisos'),
  tipos: told(v.array(type), 'What it is told of; `*` is everything.', ['sitio.activo']),
  activo: told(v.boolean(), 'Whether events are delivered. While it is off, none is queued.', true),
  motivo: told(
    nullable(v.picklist(WEBHOOK_STOPS)),
    'Why it is off. `a_mano`: by somebody. `ya_no_existe`: it replied 410. `sin_entregas`: it took nothing for three days. `demasiadas`: more than 10,000 events waited for it. `restaurado`: the panel is a restored copy.',
    null,
  ),
  en_cola: told(count, 'Deliveries that wait or are being made.', 0),
  fallidas: told(count, 'Of these, how many failed before and will be tried again.', 0),
  ultima_entrega: when('When it last took a delivery.'),
  secreto_anterior_hasta: when('Until when the secret before the current one signs too.'),
  creado: created,
}

export const webhookShape = named(
  'Aviso',
  'A webhook: where a program wants to be told of events (Standard Webhooks), without its secret.',
  v.strictObject(webhookEntries),
)
export type WebhookView = v.InferOutput<typeof webhookShape>

export const newSecretShape = named(
  'AvisoConSecreto',
  'A webhook with its new secret, this once.',
  v.strictObject({
    ...webhookEntries,
    secreto: told(
      string,
      'What its messages are signed with. It is shown nowhere else.',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ),
  }),
)

export const deliveryShape = named(
  'Entrega',
  'One event for one webhook, and what came of it. Kept for 30 days, at most 5,000 of each webhook.',
  v.strictObject({
    id: told(string, 'Its key; later ones are higher.', '41'),
    evento: told(
      nullable(string),
      'The key of the event, as `GET /eventos` has it; null for a test.',
      '1795624200123',
    ),
    tipo: told(v.picklist([...EVENT_TYPES, TEST_TYPE]), 'What has happened.', 'sitio.activo'),
    cliente: told(nullable(string), 'The client that the event is about.', 'acme'),
    objeto: told(nullable(string), 'What of it, as the event has it.', 'ejemplo.es'),
    estado: told(
      v.picklist(DELIVERY_STATES),
      '`abandonada`: it failed for good, or its webhook was switched off while it waited.',
      'entregada',
    ),
    intentos: told(count, 'How often it has been attempted.', 1),
    creada: when('When it was queued.', '2026-11-21T09:30:00.000Z'),
    ultimo_intento: when('When it was last attempted.', '2026-11-21T09:30:01.000Z'),
    proximo_intento: when('When it is attempted again; null if that is due, or over.'),
    contestacion: told(
      nullable(
        v.strictObject({
          estado: told(count, 'Its HTTP status; one of the 200s means that it was taken.', 200),
          cuerpo: told(string, 'The first 1,024 bytes of its body.', 'ok'),
        }),
      ),
      'The last reply; null if there was none.',
    ),
    duracion_ms: told(nullable(count), 'How long the last attempt took.', 120),
    fallo: told(
      nullable(v.picklist(DELIVERY_FAULTS)),
      'Why the last attempt failed. `sin_direccion`: its name has no address. `direccion_no_admitida`: it leads to an address that is not of the public Internet. `sin_respuesta`: none within 15 seconds. `rechazada`: the reply was not of the 200s; redirects are not followed.',
      null,
    ),
  }),
)
export type DeliveryView = v.InferOutput<typeof deliveryShape>
