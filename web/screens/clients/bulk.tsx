import { Button } from '@mantine/core'
import { useState } from 'react'
import { reply } from '../../api/client.ts'
import { asApiError } from '../../api/errors.ts'
import { queries } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { texts as listTexts } from '../../ui/lists/texts.ts'
import { Bar } from '../../ui/meter.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { State } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { type PlanChoice, PlanField } from '../plans/choice.tsx'
import { type BulkKind, type Outcome, undoable, useBulk } from './bulk-run.ts'
import { texts } from './texts.ts'

type Client = ItemOf<'GET /api/clientes'>
type Props = { clients: Client[]; clear: () => void }

const KINDS: BulkKind[] = ['suspend', 'activate', 'plan', 'link']
const title = (kind: BulkKind) =>
  ({
    suspend: texts.suspend,
    activate: texts.activate,
    plan: texts.changeThePlan,
    link: texts.sendANewLink,
  })[kind]

/** What can be done with all clients that are chosen at once; each is one request of its own. */
export function BulkBar({ clients, clear }: Props) {
  const [kind, setKind] = useState<BulkKind | null>(null)
  // What the dialog is about stays as it was, whatever the list reads meanwhile.
  const [taken, setTaken] = useState<Client[]>([])
  const open = (next: BulkKind) => {
    setTaken(clients)
    setKind(next)
  }
  if (clients.length === 0 && kind === null) return null
  const addresses = clients.flatMap(({ correo }) => (correo ? [correo] : []))
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own */}
      <div className="bulk-bar" role="group" aria-label={listTexts.chosen}>
        <span>
          <b>{number(clients.length)}</b> {listTexts.chosen}
        </span>
        {KINDS.map((one) => (
          <SmallButton key={one} onClick={() => open(one)}>
            {title(one)}
          </SmallButton>
        ))}
        {addresses.length > 0 ? (
          <Button
            size="compact-sm"
            variant="default"
            component="a"
            href={`mailto:?bcc=${addresses.map(encodeURIComponent).join(',')}`}
          >
            {texts.writeToThem}
          </Button>
        ) : null}
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {listTexts.chooseNone}
        </Button>
      </div>
      <Dialog
        title={kind ? `${title(kind)} · ${texts.manyClients(taken.length)}` : ''}
        opened={kind !== null}
        close={() => setKind(null)}
        unsaved={false}
      >
        {kind ? <BulkForm kind={kind} clients={taken} close={() => setKind(null)} /> : null}
      </Dialog>
    </>
  )
}

function BulkForm({ kind, clients, close }: { kind: BulkKind; clients: Client[]; close: () => void }) {
  const [motivo, setMotivo] = useState('')
  const [plan, setPlan] = useState<PlanChoice>(undefined)
  const bulk = useBulk({
    clients: clients.map(({ cliente, estado, motivo, plan }) => ({ cliente, estado, motivo, plan })),
    send: (op, input) => reply(op, input),
    problem: (thrown) => asApiError(thrown).detail,
    settled: () => void queries.invalidateQueries(),
  })
  if (bulk.outcomes) return <Progress kind={kind} bulk={bulk} close={close} />
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        bulk.start(kind, { motivo, plan: plan ?? null })
      }}
    >
      {kind === 'suspend' ? (
        <>
          <p>{texts.whatSuspendingDoes}</p>
          <TextField
            label={texts.reason}
            value={motivo}
            onChange={setMotivo}
            max={200}
            description={texts.reasonHint}
          />
        </>
      ) : null}
      {kind === 'activate' ? <p>{texts.whatActivatingDoes}</p> : null}
      {kind === 'plan' ? <PlanField value={plan} onChange={setPlan} /> : null}
      {kind === 'link' ? <p>{texts.whatManyLinksDo}</p> : null}
      <p className="names-list mono small">{clients.map(({ cliente }) => cliente).join(', ')}</p>
      <div className="form-foot">
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          {...(kind === 'suspend' ? { color: 'red' } : {})}
          disabled={kind === 'plan' && plan === undefined}
        >
          {title(kind)}
        </Button>
      </div>
    </form>
  )
}

type Running = ReturnType<typeof useBulk>

function Progress({ kind, bulk, close }: { kind: BulkKind; bulk: Running; close: () => void }) {
  const outcomes = bulk.outcomes ?? []
  const ended = outcomes.filter(({ state }) => state !== 'pendiente' && state !== 'en_curso').length
  const failed = outcomes.filter(({ state }) => state === 'fallida').length
  const done = outcomes.filter(({ state }) => state === 'hecha').length
  const over = ended === outcomes.length
  return (
    <div className="stack">
      <p role="status">
        {over
          ? texts.bulkEnded(number(done), number(failed))
          : `${number(ended)} ${common.of} ${number(outcomes.length)}`}
      </p>
      <Bar
        share={outcomes.length === 0 ? 1 : ended / outcomes.length}
        tone={failed > 0 ? 'warn' : 'good'}
        progress
      />
      <div className="table-box bulk-results">
        <Table
          label={texts.resultOfEach}
          rows={outcomes}
          rowKey={({ cliente }) => cliente}
          columns={[
            { head: common.client, long: true, cell: ({ cliente }) => <code>{cliente}</code> },
            { head: common.state, narrow: true, cell: ({ state }) => <State state={state} /> },
            { head: common.details, cell: ({ error }: Outcome) => error ?? '' },
          ]}
        />
      </div>
      <div className="form-foot">
        {over && !bulk.undone && undoable(kind, outcomes) ? (
          <Button variant="default" onClick={() => bulk.undo(kind)}>
            {common.undo}
          </Button>
        ) : null}
        {over ? (
          <Button onClick={close}>{texts.closeBulk}</Button>
        ) : (
          <Button variant="default" onClick={bulk.stop}>
            {texts.stopBulk}
          </Button>
        )}
      </div>
    </div>
  )
}
