import * as v from 'valibot'
import { MOVE_PHASES, MOVE_WAITS } from '../../schema/states.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { client, node, nullable, string, when } from '../endpoint/shapes.ts'
import { workShape } from '../work/shapes.ts'

const list = (description: string, example: string[]) => told(v.array(string), description, example)

const previewShape = named(
  'MudanzaSimulada',
  'What a move to another node would take along, change, and what is in its way.',
  v.strictObject({
    cliente: client,
    de: told(string, 'The node that it lives on.', 'nodo1'),
    a: told(string, 'The node that it would live on.', 'nodo2'),
    mueve: told(
      v.strictObject({
        sitios: list('Sites.', ['ejemplo.es']),
        bases: list('Databases.', ['acme_tienda']),
        zonas: list('Zones.', ['ejemplo.es']),
        cuentas_sftp: told(count, 'SFTP accounts.', 1),
        programadas: told(count, 'Scheduled tasks.', 2),
        bytes: told(count, 'How large all of it is, as last measured.', 73400320),
      }),
      'What goes along.',
    ),
    cambia: told(
      v.array(
        v.strictObject({
          que: told(
            v.picklist(['direcciones', 'servidores_dns', 'sftp', 'bases']),
            'Of what: addresses, name servers, where SFTP accounts sign in, how databases are reached.',
            'direcciones',
          ),
          actual: list('As it is.', ['192.0.2.1']),
          despues: list('As it would be.', ['192.0.2.2']),
        }),
      ),
      'What is different there. A registrar has to be told other name servers before the move is confirmed.',
    ),
    impide: told(
      v.array(
        v.strictObject({
          que: told(
            v.picklist(['php', 'bases', 'sftp', 'espejo', 'espacio', 'copia']),
            'What the other node lacks: a version of PHP, databases, SFTP, the same DNS provider account, room. `copia`: what the latest copy of the client could not have; a move makes a new one first, and ends there if that lacks anything, too.',
            'php',
          ),
          objetos: list('What needs it.', ['ejemplo.es (PHP 8.1)']),
        }),
      ),
      'What is in its way; it can begin where that is nothing, or `copia` alone.',
    ),
  }),
)
export const startShape = named(
  'MudanzaPedida',
  'A move: what it would do with 200, under way with 202.',
  v.union([previewShape, workShape]),
)
export type PreviewView = v.InferOutput<typeof previewShape>

export const moveShape = named(
  'Mudanza',
  "A client's move to another node.",
  v.strictObject({
    cliente: client,
    de: told(string, 'The node that it came from.', 'nodo1'),
    a: told(string, 'The node that it goes to.', 'nodo2'),
    nodo: node,
    fase: told(
      v.picklist(MOVE_PHASES),
      '`copiando` and `preparando` while it is served, `cerrando`, `cerrada` and `abriendo` for seconds, `mudada` until it is confirmed, `volviendo` while it is taken back.',
      'mudada',
    ),
    tarea: told(string, 'The work that does it; see `GET /tareas/<id>`.', 'job_01JD8Z3K9Q'),
    empezada: told(timestamp, 'When it was begun.', '2026-11-21T09:30:00.000Z'),
    cerrado_desde: when('Since when the client was closed to changes.'),
    cambiada: when('When it changed its node.'),
    se_confirma: told(nullable(timestamp), 'When it counts as confirmed by itself.', null),
    espera: told(
      nullable(v.picklist(MOVE_WAITS)),
      'Why it was not confirmed by itself at that time: its new node is away, has a service that is down, or holds the client otherwise than the panel has it. It is as soon as that has ended.',
      null,
    ),
  }),
)
export type MoveView = v.InferOutput<typeof moveShape>

const emptyingShape = named(
  'NodoPorVaciar',
  'The clients that would be moved to another node.',
  v.strictObject({
    de: told(string, 'The node that they live on.', 'nodo1'),
    a: told(string, 'The node that they would live on.', 'nodo2'),
    clientes: list('The clients, by name: a page of them.', ['acme']),
    total: told(count, 'How many there are.', 1),
    siguiente: told(nullable(string), 'Where the next page begins; null after the last.', null),
  }),
)
export type EmptyingView = v.InferOutput<typeof emptyingShape>

export const emptyShape = named(
  'NodoVaciado',
  'Emptying a node: what it would do with 200, under way with 202.',
  v.union([emptyingShape, workShape]),
)
