import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Note } from '../../ui/state.tsx'

/**
 * A dialog that may show something which is never shown again. While it does (`shown`), leaving it by
 * Escape or by a click beside it asks first, so that a secret is not lost by a slip.
 */
export function OnceDialog({
  title,
  opened,
  close,
  shown,
  children,
}: {
  title: ReactNode
  opened: boolean
  close: () => void
  shown: boolean
  children: ReactNode
}) {
  const [asking, setAsking] = useState(false)
  const leave = () => {
    setAsking(false)
    close()
  }
  return (
    <Dialog title={title} opened={opened} close={() => (shown && !asking ? setAsking(true) : leave())}>
      {children}
      {shown && asking ? (
        <div className="once-leave" role="alert">
          <Note
            tone="warn"
            title={t('Close? It cannot be shown again.', '¿Cerrar? No se podrá mostrar otra vez.')}
          >
            <div className="actions">
              <Button size="xs" color="red" onClick={leave}>
                {t('Close anyway', 'Cerrar de todos modos')}
              </Button>
              <Button size="xs" variant="default" onClick={() => setAsking(false)}>
                {t('Stay', 'Seguir aquí')}
              </Button>
            </div>
          </Note>
        </div>
      ) : null}
    </Dialog>
  )
}
