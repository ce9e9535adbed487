import { useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { bytes, dateTime } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Empty, Loaded, PageHead } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note, State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { Progress, type Undo } from './progress.tsx'
import { type CopyOfClient, Restore } from './restore.tsx'
import { texts } from './texts.ts'

/** A customer's own copies. */
export default function OwnCopies() {
  const me = useRead('GET /api/yo', {})
  return (
    <>
      <PageHead title={common.copies} lead={texts.whatTheyAre} wire="GET /api/clientes/:cliente/copias" />
      <Loaded of={me}>{(me) => (me.cliente ? <ClientCopies cliente={me.cliente} /> : null)}</Loaded>
    </>
  )
}

/** A copy that is made, by whomever, is seen soon. */
const LOOK_MS = 5_000

type Open = { copy: CopyOfClient } | { job: string; copy?: CopyOfClient; undo: Undo } | null

/** The copies of a client: made now, looked into, restored. */
export function ClientCopies({ cliente }: { cliente: string }) {
  const [open, setOpen] = useState<Open>(null)
  const pages = usePages(
    'GET /api/clientes/:cliente/copias',
    { params: { cliente } },
    { again: () => LOOK_MS },
  )
  const nightly = pages.first?.cada_noche
  const close = () => {
    setOpen(null)
    pages.retry()
  }
  return (
    <div className="stack">
      {nightly === false ? (
        <Note tone="warn" title={texts.notMade}>
          <p>{texts.whyNotMade}</p>
        </Note>
      ) : (
        <OpForm
          op="POST /api/clientes/:cliente/copias"
          input={{ params: { cliente } }}
          submit={texts.copyNow}
          done={({ data }) => setOpen({ job: data.tarea.id, undo: null })}
        />
      )}
      {pages.first?.en_curso ? (
        <UnderWay look={(job) => setOpen({ job, undo: null })} job={pages.first.en_curso} />
      ) : null}
      <PagedTable
        label={common.copies}
        pages={pages}
        rowKey={({ copia }) => copia}
        columns={columns((copy) => setOpen({ copy }))}
        empty={
          <Empty icon="undo" title={texts.none}>
            {nightly === false ? null : <p>{texts.whenFirst}</p>}
          </Empty>
        }
      />
      <Dialog
        title={open?.copy ? texts.copyOf(dateTime(open.copy.cuando)) : texts.newCopy}
        opened={open !== null}
        close={close}
        {...(open && 'job' in open ? { unsaved: false } : {})}
      >
        <OpenCopy cliente={cliente} open={open} setOpen={setOpen} close={close} />
      </Dialog>
    </div>
  )
}

type OpenProps = { cliente: string; open: Open; setOpen: (open: Open) => void; close: () => void }

/** A copy to restore of, or how far what was begun with it is. */
function OpenCopy({ cliente, open, setOpen, close }: OpenProps) {
  if (open === null) return null
  if ('job' in open) {
    const again = (job: string) => setOpen({ ...open, job })
    return <Progress key={open.job} id={open.job} undo={open.undo} again={again} close={close} />
  }
  const begun = (job: string, undo: Undo) => setOpen({ copy: open.copy, job, undo })
  return <Restore cliente={cliente} copy={open.copy} begun={begun} close={close} />
}

function UnderWay({ job, look }: { job: string; look: (job: string) => void }) {
  return (
    <Note tone="info" title={texts.underWay}>
      <div>
        <SmallButton onClick={() => look(job)}>{texts.lookAtIt}</SmallButton>
      </div>
    </Note>
  )
}

const columns = (restore: (copy: CopyOfClient) => void): Column<CopyOfClient>[] => [
  { head: texts.when, cell: ({ cuando }) => dateTime(cuando) },
  { head: common.state, cell: ({ estado }) => <State state={estado} /> },
  { head: texts.tested, cell: ({ probada }) => (probada ? dateTime(probada) : texts.notTested) },
  {
    head: texts.holds,
    long: true,
    cell: ({ contenido }) => (
      <div>
        {contenido.map(({ tipo, nombre, error }) => (
          <div key={`${tipo} ${nombre}`}>
            <span className={tipo === 'ajustes' ? '' : 'mono'}>
              {tipo === 'ajustes' ? texts.settings : nombre}
            </span>
            {error ? <span className="sub">{error}</span> : null}
          </div>
        ))}
      </div>
    ),
  },
  { head: texts.size, end: true, cell: (copy) => bytes(copy.bytes) },
  {
    head: common.actions,
    actions: true,
    cell: (copy) => (
      <SmallButton onClick={() => restore(copy)} aria-label={`${texts.restore} ${dateTime(copy.cuando)}`}>
        {texts.restore}
      </SmallButton>
    ),
  },
]
