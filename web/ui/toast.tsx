import { useEffect } from 'react'
import { createStore } from '../api/store.ts'
import { common } from '../text/common.ts'

type Notice = { n: number; text: string; undo?: () => void; label?: string | undefined }

const notices = createStore<Notice[]>([])
const SHOWN_MS = 6000
let last = 0

/** Says in a corner, and to a screen reader, that something was done; with `undo` it can be taken back, or led on from. */
export function announce(text: string, undo?: () => void, label?: string): void {
  last++
  notices.set([...notices.get().slice(-2), { n: last, text, ...(undo ? { undo, label } : {}) }])
}

const drop = (n: number) => notices.set(notices.get().filter((notice) => notice.n !== n))

export function Notices() {
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.use().map((notice) => (
        <OneNotice key={notice.n} notice={notice} />
      ))}
    </div>
  )
}

function OneNotice({ notice }: { notice: Notice }) {
  useEffect(() => {
    const timer = setTimeout(() => drop(notice.n), notice.undo ? SHOWN_MS * 2 : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div className="notice">
      <span>{notice.text}</span>
      {notice.undo ? (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            notice.undo?.()
            drop(notice.n)
          }}
        >
          {notice.label ?? common.undo}
        </button>
      ) : null}
    </div>
  )
}
