import { Button } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { TargetField, useTarget } from './target.tsx'
import { texts } from './texts.ts'

/** Moves all clients of a node to another one; nothing where there is no other. */
export function EmptyNode({ node }: { node: string }) {
  const [opened, setOpened] = useState(false)
  const to = useTarget(node)
  if (to.others.length === 0) return null
  const close = () => setOpened(false)
  return (
    <div className="actions">
      <Button variant="default" onClick={() => setOpened(true)}>
        {texts.empty}
      </Button>
      <Dialog title={texts.emptyTitle(node)} opened={opened} close={close}>
        <OpForm
          op="POST /api/nodos/:nodo/vaciar"
          input={{ params: { nodo: node }, query: {}, body: { nodo: to.target } }}
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
              <TargetField of={to} error={error('nodo')} />
            </>
          )}
        </OpForm>
      </Dialog>
    </div>
  )
}
