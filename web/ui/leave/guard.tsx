import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { navigate, useBrowserLocation } from 'wouter/use-browser-location'
import { Dialog } from '../dialog.tsx'
import { texts } from './texts.ts'
import { dropUnsaved, leave, leaving } from './unsaved.ts'

/** Screens that are left only on a person's word while something typed on them is unsaved. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  return (
    <Router hook={useGuardedLocation}>
      {children}
      <Ask />
    </Router>
  )
}

type Navigate = typeof navigate

/** Other screens by links; what replaces an address is the same screen, or was decided already. */
const guarded: Navigate = (to, options) => {
  if (options?.replace) navigate(to, options)
  else leave(() => navigate(to, options))
}

const useGuardedLocation = (): [string, Navigate] => [useBrowserLocation()[0], guarded]

function Ask() {
  const asked = leaving.use()
  const stay = () => leaving.set(null)
  const go = () => {
    stay()
    dropUnsaved()
    asked?.go()
  }
  return (
    <Dialog title={texts.title} opened={asked !== null} close={stay} size="26rem" unsaved={false} over>
      <div className="form">
        <p>{texts.advice}</p>
        <div className="form-foot">
          <Button color="red" onClick={go}>
            {texts.leave}
          </Button>
          <Button variant="default" onClick={stay} data-autofocus>
            {texts.stay}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
