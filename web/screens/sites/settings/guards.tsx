import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { type RowErrors, Rows, rowErrors } from '../../../ui/forms/rows.tsx'
import { ShownOnce } from '../../../ui/forms/shown-once.tsx'
import { Card } from '../../../ui/page.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { announce } from '../../../ui/toast.tsx'
import { belowServed, fromRoot, typedAddress } from './addresses.ts'
import { PartHelp, useIsNowhere } from './part.tsx'
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
      actions={<SmallButton onClick={() => setChanging(true)}>{texts.change}</SmallButton>}
    >
      {site.protegidas.length === 0 ? (
        <p className="faint small">{texts.noneProtected}</p>
      ) : (
        <Table
          label={texts.protectedParts}
          rows={site.protegidas}
          rowKey={({ ruta }) => ruta}
          columns={columns(site, setMaking)}
        />
      )}
      <Dialog title={texts.protectedParts} opened={changing} close={() => setChanging(false)}>
        <Change site={site} close={() => setChanging(false)} />
      </Dialog>
      {making ? <Password site={site} guard={making} close={() => setMaking(null)} /> : null}
    </Card>
  )
}

const columns = (site: SiteData, make: (guard: Guard) => void): Column<Guard>[] => [
  { head: texts.part, long: true, cell: ({ ruta }) => <Part site={site} address={ruta} /> },
  { head: texts.user, cell: ({ usuario }) => <code>{usuario}</code> },
  { head: texts.password, cell: ({ con_contrasena }) => (con_contrasena ? texts.made : texts.notMade) },
  {
    head: common.actions,
    actions: true,
    cell: (guard) => (
      <SmallButton onClick={() => make(guard)}>
        {guard.con_contrasena ? texts.makeAnother : texts.makePassword}
      </SmallButton>
    ),
  },
]

function Part({ site, address }: { site: SiteData; address: string }) {
  const isNowhere = useIsNowhere(site, typedAddress(address))
  return (
    <>
      <code>{address}</code>
      {isNowhere ? <p className="small tone-warn tone-text">{texts.partMissing(site.raiz_web)}</p> : null}
    </>
  )
}

function Change({ site, close }: { site: SiteData; close: () => void }) {
  const present = site.protegidas.map(({ ruta, usuario }) => ({
    ...{ ruta: typedAddress(ruta), usuario, exact: true },
  }))
  const [rows, setRows] = useState(present.length === 0 ? [NO_GUARD] : present)
  const written = rows.filter(({ ruta, usuario }) => `${ruta}${usuario}`.trim() !== '')
  const protegidas = written.map((row) => ({
    ruta: addressOf(row, site),
    usuario: row.usuario.trim(),
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
          <GuardRows
            site={site}
            rows={rows}
            put={setRows}
            error={rowErrors(error, 'protegidas', { rows, written })}
          />
        </>
      )}
    </OpForm>
  )
}

/** `exact`: the address is what visitors see, as it was kept or chosen; typed, it may be as the screen of files has it. */
type GuardRow = { ruta: string; usuario: string; exact: boolean }
const NO_GUARD: GuardRow = { ruta: '', usuario: '', exact: false }

const addressOf = ({ ruta, exact }: GuardRow, { raiz_web }: SiteData): string =>
  exact ? fromRoot(ruta) : belowServed(ruta, raiz_web)

function GuardRows({
  site,
  rows,
  put,
  error,
}: {
  site: SiteData
  rows: GuardRow[]
  put: (rows: GuardRow[]) => void
  error: RowErrors
}) {
  return (
    <Rows
      {...{ legend: texts.protectedParts, quiet: true, rows, put, fresh: NO_GUARD }}
      {...{ add: texts.addPart, remove: texts.removePart, error: error.whole }}
    >
      {(row, change, { index, label }) => (
        <>
          <TextField
            mono
            label={label(texts.part)}
            placeholder="/fotos"
            value={row.ruta}
            onChange={(typed) => change({ ruta: typed, exact: false })}
            error={error.at(index, 'ruta')}
          />
          <TextField
            mono
            label={label(texts.user)}
            placeholder="ana"
            value={row.usuario}
            onChange={(typed) => change({ usuario: typed })}
            error={error.at(index, 'usuario')}
          />
          <PartHelp
            site={site}
            typed={row.ruta}
            address={addressOf(row, site)}
            choose={(address) => change({ ruta: address, exact: true })}
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
