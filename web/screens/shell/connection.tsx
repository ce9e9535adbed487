import { useEffect } from 'react'
import { connection, lookForPanel, noteConnection } from '../../api/connection.ts'
import { queries } from '../../api/hooks.ts'
import { Icon } from '../../ui/icons.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const LOOK_MS = 3_000

/** Says that the panel cannot be reached, and reads everything again once it can. */
export function ConnectionBanner() {
  const isLost = connection.use() === 'lost'
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(look, LOOK_MS)
    addEventListener('online', look)
    return () => {
      clearInterval(timer)
      removeEventListener('online', look)
    }
  }, [isLost])
  if (!isLost) return null
  return (
    <div className="banner" role="status">
      <Icon name="sync" />
      <span>
        <b>{texts.noConnection}</b> {texts.noConnectionAdvice}
      </span>
      <SmallButton onClick={look}>{texts.tryNow}</SmallButton>
    </div>
  )
}

async function look(): Promise<void> {
  if (!(await lookForPanel()) || connection.get() === 'there') return
  noteConnection('there')
  announce(texts.connectedAgain)
  await queries.invalidateQueries()
}
