import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Waiting } from '../../../ui/page.tsx'
import type { Records } from '../records/records-data.ts'
import { texts } from '../texts.ts'

const Choose = lazy(() => import('./choose.tsx'))

type Props = { zona: string; records: Records; refresh: () => void }

/** Sets a domain up for a mail provider: what would change is seen before. */
export function MailSetup({ zona, records, refresh }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="mail" size={14} />}
        onClick={() => setOpen(true)}
      >
        {texts.setUpMail}
      </Button>
      <Dialog title={texts.setUpMail} opened={open} close={() => setOpen(false)} size="44rem">
        <Suspense fallback={<Waiting />}>
          <Choose
            {...{ zona, records }}
            close={() => {
              setOpen(false)
              refresh()
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
