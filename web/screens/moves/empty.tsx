import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

/** Moves all clients of a node to another one; nothing where there is no other. */
export function EmptyNode({ node }: { node: string }) {
  const [opened, setOpened] = useState(false)
  const nodes = useRead('GET /api/nodos', { query: { limite: '200' } })
  const others = (nodes.data?.datos ?? [])
    .filter(({ nodo, estado }) => nodo !== node && estado !== 'ausente')
    .map(({ nodo }) => nodo)
  const [chosen, setChosen] = useState('')
  const target = chosen || (others[0] ?? '')
  if (others.length === 0) return null
  const close = () => setOpened(false)
  return (
    <div className="actions">
      <Button variant="default" onClick={() => setOpened(true)}>
        {texts.empty}
      </Button>
      <Dialog title={texts.emptyTitle(node)} opened={opened} close={close}>
        <OpForm
          op="POST /api/nodos/:nodo/vaciar"
          input={{ params: { nodo: node }, query: {}, body: { nodo: target } }}
          submit={texts.emptyStart}
          cancel={close}
          done={() => {
            announce(texts.emptyStarted)
            close()
          }}
        >
          {(error) => (
            <>
              <p>{texts.emptyHint}</p>
              <Choice
                label={texts.to}
                value={target}
                onChange={setChosen}
                options={others.map((name) => ({ value: name, label: name }))}
                error={error('nodo')}
              />
            </>
          )}
        </OpForm>
      </Dialog>
    </div>
  )
}
