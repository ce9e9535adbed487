import * as v from 'valibot'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { nullable, string } from '../endpoint/shapes.ts'

/** How often a client's limits refused something. */
export const refusedShape = v.strictObject({
  desde: told(timestamp, 'Since when: the measurement before.', '2026-11-21T09:00:00.000Z'),
  memoria: told(nullable(count), 'Programs that were ended because there was no memory left.', 0),
  procesos: told(nullable(count), 'Processes that were not begun.', 12),
  cpu_segundos: told(
    nullable(v.number()),
    'Seconds that programs were kept waiting for a processor, added up.',
    3.4,
  ),
})

const heavyShape = named(
  'MayorConsumo',
  'A client that takes more than a fair part of its node, or that was refused something lately.',
  v.strictObject({
    cliente: told(string, 'The name of the client, its key.', 'acme'),
    texto: told(
      string,
      'The same in words.',
      '180 % of a processor, 96 of 100 processes, refused 12 times for want of memory',
    ),
    cpu_porcentaje: told(nullable(v.number()), 'Of the processors just now; 100 is one.', 180),
    memoria_bytes: told(nullable(count), 'Memory, without copies of files that could make way.', 268435456),
    procesos: told(nullable(count), 'Processes and threads.', 96),
    rechazos: told(
      nullable(refusedShape),
      'What its limits refused since its use was last measured; null before the first time.',
    ),
  }),
)

export const nodeShape = named(
  'Nodo',
  'One machine of the panel.',
  v.strictObject({
    nodo: told(string, 'Its name, its key.', 'nodo1'),
    version: told(string, "Its panel's version.", '0.1.0'),
    estado: told(
      v.picklist(['bien', 'con_fallos', 'ausente']),
      '`con_fallos`: a service is down; mail or addresses that are only not set are no failure. `ausente`: it has not been heard of lately.',
      'bien',
    ),
    direcciones: told(v.array(string), 'Its public addresses.', ['192.0.2.1', '2001:db8::1']),
    servidores_dns: told(v.array(string), 'The name servers of its zones.', ['ns1.ejemplo.net']),
    servicios: told(
      v.array(
        v.strictObject({
          servicio: told(string, 'Its name.', 'nginx'),
          estado: told(v.picklist(['activo', 'parado']), 'Whether it runs, or is set.', 'activo'),
          version: told(nullable(string), 'Its version, where it tells one.', '1.26.3'),
          consejo: told(nullable(string), 'What to do about it.', null),
        }),
      ),
      'The services that it runs.',
    ),
    php: told(
      v.array(
        v.strictObject({
          version: told(string, 'The version.', '8.2'),
          extensiones: told(v.array(string), 'Its extensions, in alphabetical order.', [
            'curl',
            'gd',
            'imagick',
          ]),
        }),
      ),
      'The versions of PHP that sites on it may have.',
    ),
    capacidad: told(
      nullable(
        v.strictObject({
          disco_bytes: told(count, 'Size of the disk.', 107374182400),
          disco_libre_bytes: told(count, 'What of it is free.', 85899345920),
          inodos: told(nullable(count), 'Inodes of the file system, where it counts them.', 6553600),
          inodos_libres: told(nullable(count), 'What of them is free.', 6501234),
          memoria_bytes: told(count, 'Memory.', 4294967296),
          carga: told(v.number(), 'Load average of one minute.', 0.12),
        }),
      ),
      'As it last told.',
    ),
    mayores_consumos: told(
      nullable(v.array(heavyShape)),
      'Clients that take more than a quarter of its processors or memory or nine tenths of their processes, or were refused something lately, the heaviest first; null where it has no control groups, and while it is `ausente`.',
      [],
    ),
    clientes: told(count, 'Clients that live on it.', 12),
    pendientes: told(
      v.strictObject({
        tareas: told(count, 'Jobs.', 0),
        correos: told(count, 'Mails.', 0),
      }),
      'Work that waits for the node.',
    ),
    arrancado: told(timestamp, 'When its panel was started.', '2026-11-20T06:00:00.000Z'),
    visto: told(timestamp, 'When it was last heard of.', '2026-11-21T09:30:00.000Z'),
  }),
)

export type HeavyView = v.InferOutput<typeof heavyShape>
export type NodeView = v.InferOutput<typeof nodeShape>
