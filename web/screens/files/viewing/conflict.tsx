import { Button } from '@mantine/core'
import { Note } from '../../../ui/state.tsx'
import type { Version } from './text.ts'
import { texts } from './texts.ts'

type Props = {
  /** What the file holds now; null where there is no such text any more. */
  theirs: Version | null
  busy: boolean
  save: (over: Version) => void
  take: (theirs: Version) => void
}

/** Somebody else has changed the file: both versions, and the choice between them. */
export function Conflict({ theirs, busy, save, take }: Props) {
  if (theirs === null) {
    return (
      <div role="alert">
        <Note tone="warn" title={texts.goneMeanwhile}>
          <p>{texts.goneAdvice}</p>
          <div className="actions">
            <Button size="xs" loading={busy} onClick={() => save({ text: '', etag: null, ending: '\n' })}>
              {texts.saveAnew}
            </Button>
          </div>
        </Note>
      </div>
    )
  }
  return (
    <div role="alert" className="form">
      <Note tone="warn" title={texts.changedMeanwhile}>
        <p>{texts.changedAdvice}</p>
      </Note>
      <textarea
        className="editor"
        readOnly
        rows={10}
        wrap="off"
        aria-label={texts.theirs}
        value={theirs.text}
      />
      <div className="actions">
        <Button size="xs" loading={busy} onClick={() => save(theirs)}>
          {texts.keepMine}
        </Button>
        <Button size="xs" variant="default" disabled={busy} onClick={() => take(theirs)}>
          {texts.takeTheirs}
        </Button>
      </div>
    </div>
  )
}
