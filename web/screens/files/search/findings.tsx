import { useRead } from '../../../api/hooks.ts'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { bytes, dateTime } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Empty, Waiting } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { parentOf, shownName } from '../paths.ts'
import { texts as files } from '../texts.ts'
import { texts } from './texts.ts'

const SEARCH = 'GET /api/sitios/:domain/archivos/buscar'
export type Found = OutputOf<typeof SEARCH>['datos'][number]

type Props = {
  domain: string
  path: string
  name: string
  open: (found: Found) => void
  go: (folder: string) => void
}

/** What has a text in its name, in a folder and below it. */
export function Findings({ domain, path, name, open, go }: Props) {
  const found = useRead(SEARCH, { params: { domain }, query: { ruta: path, nombre: name } })
  if (found.isPending) return <Waiting lines={6} />
  if (!found.data) return found.error ? <ErrorNote error={found.error} /> : null
  const { datos, completo } = found.data
  return (
    <>
      {datos.length === 0 ? (
        <Empty icon="search" title={texts.nothingFound}>
          <p>{texts.nothingFoundAdvice}</p>
        </Empty>
      ) : (
        <div className="table-box">
          <Table
            label={texts.findings}
            columns={columnsOf(open, go)}
            rows={datos}
            rowKey={({ ruta }) => ruta}
          />
        </div>
      )}
      {completo ? null : <Note tone="info" title={texts.notWhole} />}
    </>
  )
}

export const ICONS = { archivo: 'file', carpeta: 'folder', enlace: 'link' } as const

const columnsOf = (open: Props['open'], go: Props['go']): Column<Found>[] => [
  {
    head: common.name,
    long: true,
    cell: (found) => (
      <button type="button" className="file-name" onClick={() => open(found)}>
        <Icon name={ICONS[found.tipo]} />
        <span className="visually-hidden">{files[found.tipo]}: </span>
        <bdi>{shownName(found.nombre)}</bdi>
      </button>
    ),
  },
  {
    head: texts.folder,
    long: true,
    cell: ({ ruta }) => (
      <button type="button" className="file-name" onClick={() => go(parentOf(ruta))}>
        <bdi className="mono">{shownName(parentOf(ruta))}</bdi>
      </button>
    ),
  },
  { head: files.size, end: true, cell: (found) => (found.tipo === 'archivo' ? bytes(found.bytes) : '—') },
  { head: files.changed, cell: ({ modificado }) => dateTime(modificado) },
]
