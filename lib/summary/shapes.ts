import * as v from 'valibot'
import { MIRROR_STATES, SETUP_POINTS, SETUP_REASONS } from '../../schema/states.ts'
import { auditShape } from '../audit/shapes.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { cause, nullable, string, when } from '../endpoint/shapes.ts'
import { nodeShape } from '../nodes/shapes.ts'
import { seenNameShape } from '../proof/connection-view.ts'
import { usageShape } from '../usage/shapes.ts'
import { jobShape } from '../work/shapes.ts'

const totalsShape = v.strictObject({
  clientes: told(
    v.strictObject({
      activos: told(count, 'Those that are served.', 118),
      suspendidos: told(count, 'Those that are suspended.', 2),
      eliminando: told(count, 'Those that are being deleted.', 0),
    }),
    'Clients by state.',
  ),
  sitios: told(count, 'Sites.', 240),
  zonas: told(count, 'DNS zones.', 231),
  bases: told(count, 'Databases.', 96),
  espejo: told(count, 'Zones that are mirrored.', 12),
})

const nodeUseShape = named(
  'UsoDeNodo',
  'How much of a node is used, and which of its services need somebody.',
  v.strictObject({
    nodo: nodeShape.entries.nodo,
    estado: nodeShape.entries.estado,
    visto: nodeShape.entries.visto,
    procesadores: told(nullable(count), 'Its processors; null from older versions.', 4),
    carga: told(
      nullable(v.number()),
      'Load average of one minute: above the number of processors, programs wait.',
      0.12,
    ),
    memoria_bytes: told(nullable(count), 'Its memory.', 4294967296),
    memoria_libre_bytes: told(nullable(count), 'What of it programs could still have.', 2147483648),
    disco_bytes: told(nullable(count), 'Size of its disk.', 107374182400),
    disco_libre_bytes: told(nullable(count), 'What of it is free.', 85899345920),
    copias: told(
      nullable(
        v.strictObject({
          atrasada: told(
            v.boolean(),
            'Whether one of them is older than two nights: `doctor` says whose.',
            false,
          ),
          nodo: when('When the node itself was last copied.'),
          cliente: told(
            nullable(
              v.strictObject({
                cliente: told(string, 'Its name.', 'acme'),
                desde: told(
                  timestamp,
                  'When that copy was begun; before the first, since when there could have been one.',
                  '2026-11-21T02:30:00.000Z',
                ),
              }),
            ),
            'The client whose last good copy is the oldest.',
          ),
        }),
      ),
      'How old the last good copies are; null where copies go nowhere.',
    ),
    servicios: told(
      nodeShape.entries.servicios,
      'Those of its services that are stopped or have advice; settings are told in `puesta_en_marcha`.',
    ),
  }),
)

const setupShape = named(
  'PuestaEnMarcha',
  'What an operator sets up first.',
  v.strictObject({
    punto: told(v.picklist(SETUP_POINTS), 'What it is about.', 'correo'),
    hecho: told(v.boolean(), 'Whether it is done.', false),
    motivo: told(
      nullable(v.picklist(SETUP_REASONS)),
      'Why it is not: `sin_configurar`, it is not set; `sin_probar`, nothing has shown yet that it works; `sin_usar`, nobody has used it; `fallo`, the last try failed.',
      'sin_probar',
    ),
    consejo: told(nullable(string), 'What the node advises about it.', null),
    descartado: told(
      v.boolean(),
      'Whether an administrator has said that it does not apply here; it is checked all the same.',
      false,
    ),
  }),
)

const troublesShape = v.strictObject({
  certificados: told(
    v.strictObject({
      por_caducar: told(count, 'Sites whose certificate ends within three weeks.', 0),
      con_error: told(count, 'Sites for which none could be had.', 1),
      sitios: told(
        v.array(
          v.strictObject({
            domain: told(string, 'The site.', 'ejemplo.es'),
            caduca: told(nullable(timestamp), 'When it ends.', null),
            error: cause('Why none could be had.'),
          }),
        ),
        'The first of them.',
      ),
    }),
    'Certificates of sites.',
  ),
  espejo: told(
    v.strictObject({
      total: told(count, 'So many.', 0),
      zonas: told(
        v.array(
          v.strictObject({
            zona: told(string, 'The zone.', 'ejemplo.es'),
            estado: told(v.picklist(MIRROR_STATES), 'Its state.', 'error'),
          }),
        ),
        'The first of them.',
      ),
    }),
    'Mirrored zones that are not in order.',
  ),
})

export const summaryShape = named(
  'Resumen',
  'How the panel is doing, in one answer of bounded size.',
  v.strictObject({
    totales: told(totalsShape, 'How much there is.'),
    nodos: told(v.array(nodeUseShape), 'The nodes, at most fifty.'),
    puesta_en_marcha: told(v.array(setupShape), 'What is set up, in the order in which it is best done.'),
    puesta_en_marcha_oculta: told(
      v.boolean(),
      'Whether an administrator has hidden the list of what is to be set up.',
      false,
    ),
    correo_prueba: told(
      nullable(
        v.strictObject({
          para: told(string, 'Whom it went to.', 'ana@ejemplo.es'),
          estado: told(
            v.picklist(['en_cola', 'enviado', 'fallido']),
            '`en_cola` with an `error`: the server did not take it, and it is tried again.',
            'enviado',
          ),
          cuando: told(timestamp, 'When it was asked for.', '2026-11-21T09:30:00.000Z'),
          error: cause('Why the last attempt failed.'),
        }),
      ),
      'The last test mail; null before the first.',
    ),
    actualizacion: told(
      nullable(
        v.strictObject({
          version: told(string, 'The newest version.', '0.2.0'),
          actual: told(string, 'The one that answers.', '0.1.0'),
          url: told(nullable(string), 'Where the source tells more of it.', null),
          comprobado: told(timestamp, 'When the source last answered.', '2026-11-21T06:17:30.000Z'),
        }),
      ),
      'A newer version at the source that the operator named; null where none is known. Nothing is installed by itself.',
    ),
    nombres: told(
      nullable(v.array(seenNameShape)),
      "Where the panel's name and its name servers lead; null unless asked for.",
    ),
    cerca_del_limite: told(
      v.strictObject({
        total: told(
          count,
          'Clients that were warned about a limit when their use was last measured, or earlier and are not well below it yet.',
          1,
        ),
        clientes: told(v.array(usageShape), 'Some of them with their use, the fullest first.'),
      }),
      'Clients near a limit of their plan.',
    ),
    trabajo: told(
      v.strictObject({
        pendientes: told(count, 'Jobs that wait.', 0),
        en_curso: told(count, 'Jobs that run.', 1),
        fallidas: told(
          count,
          'Jobs that failed and are not tried again by themselves; not those that were refused to whoever asked for them.',
          0,
        ),
        correos_en_cola: told(count, 'Mails that wait for a mail server.', 0),
        correos_fallidos: told(count, 'Mails that no server took for a day.', 0),
        en_marcha: told(v.array(jobShape), 'The first jobs that run or wait.'),
        con_fallo: told(v.array(jobShape), 'The last jobs that failed.'),
      }),
      'Background work.',
    ),
    problemas: told(troublesShape, 'What else needs somebody.'),
    actividad: told(v.array(auditShape), 'The last entries of the audit trail, newest first.'),
  }),
)

export type SummaryView = v.InferOutput<typeof summaryShape>
