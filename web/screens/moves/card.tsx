import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { useAction } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { bytes, dateTime } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Facts, Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { TargetField, useTarget } from './target.tsx'
import { texts } from './texts.ts'

type Move = OutputOf<'GET /api/clientes/:cliente/mudar'>
type Preview = Extract<OutputOf<'POST /api/clientes/:cliente/mudar'>, { impide: unknown }>
type Client = { cliente: string; nodo: string }

const LOOK_MS = 2_000

/** A client's move to another node: what it would do, how far it is, and its end. */
export function MoveCard({ client }: { client: Client }) {
  const { cliente } = client
  const move = useQuery<Move | null, ApiError>({
    queryKey: ['GET /api/clientes/:cliente/mudar', cliente],
    queryFn: ({ signal }) => moveOf(cliente, signal),
    refetchInterval: ({ state: { data } }) => (data && data.fase !== 'mudada' ? LOOK_MS : false),
  })
  return (
    <Card title={texts.move}>
      {move.isPending ? <Waiting lines={2} /> : null}
      {move.error ? <ErrorNote error={move.error} /> : null}
      {move.data ? <Going move={move.data} /> : null}
      {move.data === null ? <Begin client={client} /> : null}
    </Card>
  )
}

/** Null where there is none, which is no fault: what was chosen for a new one stays while this is asked again. */
async function moveOf(cliente: string, signal: AbortSignal): Promise<Move | null> {
  try {
    return await call('GET /api/clientes/:cliente/mudar', { params: { cliente } }, { signal })
  } catch (thrown) {
    const error = asApiError(thrown)
    if (error.codigo === 'mudanza_no_existe') return null
    throw error
  }
}

function Begin({ client: { cliente, nodo } }: { client: Client }) {
  const to = useTarget(nodo)
  const { target } = to
  const [preview, setPreview] = useState<Preview | null>(null)
  const look = useAction('POST /api/clientes/:cliente/mudar')
  const input = { params: { cliente }, query: {}, body: { nodo: target } }
  if (to.isKnown && to.others.length === 0) return <p>{texts.onlyNode}</p>
  const ask = async () => {
    const answer = await look.run({ ...input, query: { simular: 'si' } })
    setPreview(answer && 'impide' in answer.data ? answer.data : null)
  }
  const isReady = preview?.a === target && preview.impide.every(isOfCopy)
  return (
    <OpForm
      op="POST /api/clientes/:cliente/mudar"
      input={input}
      submit={texts.start}
      disabled={!isReady}
      beside={
        <Button variant="default" loading={look.busy} onClick={ask}>
          {texts.preview}
        </Button>
      }
      done={() => announce(texts.started)}
    >
      {(error) => (
        <>
          <p>{texts.hint}</p>
          <TargetField of={to} error={error('nodo')} />
          {look.error ? <ErrorNote error={look.error} /> : null}
          {preview?.a === target ? <Told preview={preview} /> : null}
        </>
      )}
    </OpForm>
  )
}

type Obstacle = Preview['impide'][number]

/** What the latest copy lacked may be mended since: the move finds out. */
const isOfCopy = ({ que }: Obstacle) => que === 'copia'

function InTheWay({ all }: { all: Obstacle[] }) {
  const lacking = all.filter((one) => !isOfCopy(one))
  const uncopied = all.filter(isOfCopy).flatMap(({ objetos }) => objetos)
  return (
    <>
      {lacking.length > 0 ? (
        <Note tone="bad" title={texts.inTheWay}>
          {lacking.map(({ que, objetos }) => (
            <p key={que}>
              <b>{texts[que]}</b>: {objetos.join(', ')}
            </p>
          ))}
        </Note>
      ) : null}
      {uncopied.length > 0 ? (
        <Note tone="warn" title={texts.copia}>
          {uncopied.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </Note>
      ) : null}
    </>
  )
}

function Told({ preview: { mueve, cambia, impide } }: { preview: Preview }) {
  const names = [...mueve.sitios, ...mueve.bases, ...mueve.zonas]
  return (
    <>
      <InTheWay all={impide} />
      <Facts
        items={[
          [texts.takes, names.join(', ')],
          [texts.size, bytes(mueve.bytes)],
          [texts.sftp, mueve.cuentas_sftp],
          [texts.tasks, mueve.programadas],
          ...cambia.map(({ que, actual, despues }): [string, string] => [
            texts[que],
            `${actual.join(', ') || '—'} → ${despues.join(', ') || '—'}`,
          ]),
        ]}
      />
    </>
  )
}

function Going({ move }: { move: Move }) {
  const { cliente, fase, se_confirma: until, espera } = move
  const confirm = useAction('POST /api/clientes/:cliente/mudar/confirmar')
  const undo = useAction('DELETE /api/clientes/:cliente/mudar')
  const refused = confirm.error ?? undo.error
  const isMoved = fase === 'mudada'
  const end = async (action: typeof confirm | typeof undo, words: string) => {
    if (await action.run({ params: { cliente } })) announce(words)
  }
  return (
    <>
      <Facts
        items={[
          [texts.where, <code key="w">{`${move.de} → ${move.a}`}</code>],
          [texts.phase, texts[fase]],
          ...(until ? [[texts.confirmsItself, dateTime(until)] satisfies [string, string]] : []),
        ]}
      />
      {espera ? (
        <Note tone="warn" title={texts.waits}>
          <p>{texts[espera]}</p>
        </Note>
      ) : null}
      {isMoved ? <p>{texts.takeBackHint}</p> : null}
      {refused ? <ErrorNote error={refused} /> : null}
      <div className="form-foot">
        {isMoved ? (
          <Button loading={confirm.busy} onClick={() => end(confirm, texts.confirmed)}>
            {texts.confirm}
          </Button>
        ) : null}
        <Button
          variant="default"
          loading={undo.busy}
          disabled={fase === 'abriendo' || fase === 'volviendo'}
          onClick={() => end(undo, texts.takenBack)}
        >
          {isMoved ? texts.takeBack : common.cancel}
        </Button>
      </div>
    </>
  )
}
