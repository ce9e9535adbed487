import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const OP = 'DELETE /api/nodos/:nodo'
type Released = OutputOf<typeof OP>
type Props = { node: string; opened: boolean; close: () => void }

/** Gives up a node that is gone: shows what would be released, and asks for the name. */
export function GiveUp({ node, opened, close }: Props) {
  const [typed, setTyped] = useState('')
  const released = useQuery<Released, ApiError>({
    queryKey: [OP, 'simular', node],
    queryFn: ({ signal }) =>
      call(OP, { params: { nodo: node }, query: { simular: 'si' }, body: {} }, { signal }),
    enabled: opened,
  })
  return (
    <Dialog title={`${texts.giveUp} ${node}`} opened={opened} close={close}>
      {released.error ? <ErrorNote error={asApiError(released.error)} /> : null}
      {released.isPending ? <Waiting lines={4} /> : null}
      {released.data ? (
        <OpForm
          op={OP}
          input={{ params: { nodo: node }, body: { confirmar: typed } }}
          submit={texts.giveUpForGood}
          danger
          disabled={typed !== node}
          cancel={close}
          done={() => {
            announce(texts.wasGivenUp(node))
            close()
          }}
        >
          {(error) => (
            <>
              <What released={released.data} />
              <TextField
                mono
                label={`${common.typeTheWord} ${node}`}
                value={typed}
                onChange={setTyped}
                error={error('confirmar')}
              />
            </>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}

function What({ released }: { released: Released }) {
  const left = released.espejos.filter(({ copia }) => copia === 'se_queda').map(({ zona }) => zona)
  return (
    <Note tone="bad" title={texts.releasesAll}>
      <p>{texts.whatGivingUpDoes}</p>
      <Names title={common.clients} names={released.clientes} />
      <Names title={common.sites} names={released.sitios} />
      <Names title={common.zones} names={released.zonas} />
      <Names title={texts.copiesThatStay} names={left} />
    </Note>
  )
}

const SHOWN = 20

function Names({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null
  const more = names.length - SHOWN
  return (
    <p>
      <b>
        {title} ({number(names.length)})
      </b>
      : {names.slice(0, SHOWN).join(', ')}
      {more > 0 ? ` +${number(more)}` : ''}
    </p>
  )
}
