import { useState } from 'react'
import { common } from '../../../text/common.ts'
import { number } from '../../../text/format.ts'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Note } from '../../../ui/state.tsx'
import { Operation } from '../operations/operation.tsx'
import { shownName } from '../paths.ts'
import { texts as files } from '../texts.ts'
import type { Entry, Left } from './restore-all.ts'
import { texts } from './texts.ts'

type Forms = { domain: string; close: () => void }

/** To another name, since where it was is taken. */
export function Restore({ domain, left: { entry, why }, close }: Forms & { left: Left }) {
  const [path, setPath] = useState(entry.ruta)
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'restaurar',
        borrados: [entry.id],
        ...(path === entry.ruta ? {} : { destino: path }),
      }}
      submit={texts.restore}
      told={texts.restored}
      complete={path.startsWith('/')}
      close={close}
    >
      {(error) => (
        <TextField
          mono
          label={texts.restoreAs}
          description={texts.restoreHint}
          value={path}
          onChange={setPath}
          error={error('destino') ?? (path === entry.ruta ? why : undefined)}
          autoFocus
        />
      )}
    </Operation>
  )
}

type RemoveProps = Forms & {
  /** Null for all that is in the bin. */
  entries: Entry[] | null
}

export function Remove({ domain, entries, close }: RemoveProps) {
  const all = entries === null
  return (
    <Operation
      domain={domain}
      body={{ operacion: 'vaciar', ...(all ? {} : { borrados: entries.map(({ id }) => id) }) }}
      submit={all ? texts.emptyBin : texts.deleteForGood}
      told={all ? texts.emptied : common.deleted}
      danger
      close={close}
    >
      {() => (
        <Note tone="warn" title={all ? texts.whatEmptyingDoes : texts.whatDeletingDoes}>
          {all ? null : <Paths paths={entries.map(({ ruta }) => ruta)} />}
        </Note>
      )}
    </Operation>
  )
}

/** As many paths as are read at a glance. */
const SHOWN = 8

function Paths({ paths }: { paths: string[] }) {
  return (
    <>
      <ul className="bullets">
        {paths.slice(0, SHOWN).map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one path may have been deleted twice
          <li key={index}>
            <bdi className="mono">{shownName(path)}</bdi>
          </li>
        ))}
      </ul>
      {paths.length > SHOWN ? <p>{files.andMore(number(paths.length - SHOWN))}</p> : null}
    </>
  )
}
