import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { type RowErrors, Rows, rowErrors } from '../../../ui/forms/rows.tsx'
import { ShownOnce } from '../../../ui/forms/shown-once.tsx'
import { Card } from '../../../ui/page.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { announce } from '../../../ui/toast.tsx'
import { fromRoot, typedAddress } from './addresses.ts'
import { texts } from './rules-texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Guard = SiteData['protegidas'][number]

/** The parts of a site that ask for a password, and where that is made. */
export function SiteGuards({ site }: { site: SiteData }) {
  const [changing, setChanging] = useState(false)
  const [making, setMaking] = useState<Guard | null>(null)
  return (
    <Card
      title={texts.protectedParts}
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setChanging(true)}>
          {texts.change}
        </Button>
      }
    >
      {site.protegidas.length === 0 ? (
        <p className="faint small">{texts.noneProtected}</p>
      ) : (
        <Table
          label={texts.protectedParts}
          rows={site.protegidas}
          rowKey={({ ruta }) => ruta}
          columns={columns(setMaking)}
        />
      )}
      <Dialog title={texts.protectedParts} opened={changing} close={() => setChanging(false)}>
        <Change site={site} close={() => setChanging(false)} />
      </Dialog>
      {making ? <Password site={site} guard={making} close={() => setMaking(null)} /> : null}
    </Card>
  )
}

const columns = (make: (guard: Guard) => void): Column<Guard>[] => [
  { head: texts.part, long: true, cell: ({ ruta }) => <code>{ruta}</code> },
  { head: texts.user, cell: ({ usuario }) => <code>{usuario}</code> },
  { head: texts.password, cell: ({ con_contrasena }) => (con_contrasena ? texts.made : texts.notMade) },
  {
    head: common.actions,
    actions: true,
    cell: (guard) => (
      <Button size="compact-sm" variant="default" onClick={() => make(guard)}>
        {guard.con_contrasena ? texts.makeAnother : texts.makePassword}
      </Button>
    ),
  },
]

function Change({ site, close }: { site: SiteData; close: () => void }) {
  const present = site.protegidas.map(({ ruta, usuario }) => ({ ruta: typedAddress(ruta), usuario }))
  const [rows, setRows] = useState(present.length === 0 ? [NO_GUARD] : present)
  const written = rows.filter(({ ruta, usuario }) => `${ruta}${usuario}`.trim() !== '')
  const protegidas = written.map(({ ruta, usuario }) => ({
    ruta: fromRoot(ruta),
    usuario: usuario.trim(),
  }))
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{ params: { domain: site.domain }, body: { protegidas } }}
      submit={common.save}
      cancel={close}
      done={() => {
        announce(common.saved)
        close()
      }}
    >
      {(error) => (
        <>
          <p className="faint small">{texts.protectedHint}</p>
          <GuardRows rows={rows} put={setRows} error={rowErrors(error, 'protegidas', { rows, written })} />
        </>
      )}
    </OpForm>
  )
}

type GuardRow = { ruta: string; usuario: string }
const NO_GUARD: GuardRow = { ruta: '', usuario: '' }

function GuardRows({
  rows,
  put,
  error,
}: {
  rows: GuardRow[]
  put: (rows: GuardRow[]) => void
  error: RowErrors
}) {
  return (
    <Rows
      {...{ legend: texts.protectedParts, quiet: true, rows, put, fresh: NO_GUARD }}
      {...{ add: texts.addPart, remove: texts.removePart, error: error.whole }}
    >
      {({ ruta, usuario }, change, { index, label }) => (
        <>
          <TextField
            mono
            label={label(texts.part)}
            placeholder="/fotos"
            value={ruta}
            onChange={(typed) => change({ ruta: typed })}
            error={error.at(index, 'ruta')}
          />
          <TextField
            mono
            label={label(texts.user)}
            placeholder="ana"
            value={usuario}
            onChange={(typed) => change({ usuario: typed })}
            error={error.at(index, 'usuario')}
          />
        </>
      )}
    </Rows>
  )
}

type PasswordProps = { site: SiteData; guard: Guard; close: () => void }

/** Makes a password, which is in this dialog and nowhere else. */
function Password({ site, guard, close }: PasswordProps) {
  const [made, setMade] = useState<{ usuario: string; contrasena: string } | null>(null)
  return (
    <Dialog title={`${texts.password} · ${guard.ruta}`} opened close={close} once={made !== null}>
      {made === null ? (
        <OpForm
          op="POST /api/sitios/:domain/protegidas/:ruta/contrasena"
          input={{ params: { domain: site.domain, ruta: guard.ruta } }}
          submit={guard.con_contrasena ? texts.makeAnother : texts.makePassword}
          cancel={close}
          done={({ data }) => setMade(data)}
        >
          {() => <p>{texts.whatMakingDoes}</p>}
        </OpForm>
      ) : (
        <ShownOnce
          value={made.contrasena}
          copy={texts.copyPassword}
          lost={texts.whenLost}
          about={<p className="strong mono">{made.usuario}</p>}
          done={close}
        />
      )}
    </Dialog>
  )
}
