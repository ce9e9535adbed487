import * as v from 'valibot'
import { destinationReading } from '../../lib/backups/destination/destination.ts'
import { checkDestination } from '../../lib/backups/destination/enter.ts'
import { showCopies } from '../../lib/backups/destination/fault.ts'
import { moveCopies } from '../../lib/backups/destination/place.ts'
import { retryWaiting } from '../../lib/backups/recover.ts'
import { destinationShape, tipo } from '../../lib/backups/shapes.ts'
import { destinationView } from '../../lib/backups/view.ts'
import { text, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'
import { backupDestinations } from '../../schema/tables.ts'

export default handler({
  method: 'PUT',
  path: '/copias/destino',
  access: person('admin'),
  summary: "Enter where this node's copies go",
  description:
    'It is opened before it is kept, and made ready where it is empty, and refused where another panel keeps its copies (409 `destino_ajeno`); its secrets are stored encrypted and never shown. A store that was only moved to another address is known by what lies there, and its copies are shown as before; those of another destination stay there, and are shown again once copies go there again. Copies and restores that wait for a destination are tried at once. Write the password down elsewhere: without it nothing can be recovered on another machine.',
  body: v.strictObject({
    tipo,
    url: told(
      text(500),
      'The whole path of a directory that is there and is empty or has copies already, `sftp://user@host:port/path`, or `https://` with the bucket or the path.',
      'https://copias.ejemplo.net/panel',
    ),
    credencial: v.optional(
      told(
        v.nullable(
          v.pipe(v.string(), v.minLength(1, 'demasiado_corto'), v.maxLength(20_000, 'demasiado_largo')),
        ),
        '`user:password` of a REST server, `key:secret` of S3, or the private key for SFTP in PEM form.',
        'panel:not-a-real-credential',
      ),
    ),
    huella: v.optional(
      told(
        v.nullable(v.pipe(v.string(), v.regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'huella_invalida'))),
        "Of the SFTP server's key, as `ssh-keygen -lf` tells it. Without one, the key that the server shows now is the one that it has to show from then on: compare the fingerprint that is answered.",
        'SHA256:uNiVztksCsDhcc0u9e8BrXJ1SrNmXT9cFsoRjVH7FDo',
      ),
    ),
    contrasena: told(
      v.pipe(v.string(), v.minLength(8, 'demasiado_corto'), v.maxLength(1000, 'demasiado_largo')),
      "The password of the node's own copies there.",
      'correct horse battery staple',
    ),
  }),
  output: destinationShape,
  errors: ['copias_no_disponibles', 'destino_contrasena', 'destino_ajeno', 'destino_fallo'],
  prepare: (services, { body }, ctx) =>
    checkDestination(services, ctx, {
      ...{ kind: body.tipo, url: body.url, password: body.contrasena },
      credential: body.credencial ?? null,
      fingerprint: body.huella ?? null,
    }),
  async run(ctx, _input, checked) {
    const before = await readNow(ctx.tx, destinationReading(ctx.tx, checked.node))
    const nodeCopiedAt = before && before.store === checked.store ? before.nodeCopiedAt : null
    const row = { ...checked, toldOn: null, nodeCopiedAt, ...NO_FAULT }
    moveCopies(ctx.tx, before ?? null, row)
    await ctx.tx
      .insert(backupDestinations)
      .values(row)
      .onConflictDoUpdate({ target: backupDestinations.node, set: row })
    await showCopies(ctx.tx, ctx, row.node)
    ctx.tx.later(...retryWaiting(ctx.tx, ctx, row.node))
    Object.assign(ctx.audit, { target: row.kind, detail: { nodo: row.node, url: row.url } })
    return ok(destinationView(row))
  },
})

/** What failed is tried at once. */
const NO_FAULT = { fault: null, faultOf: null, faultAt: null }
