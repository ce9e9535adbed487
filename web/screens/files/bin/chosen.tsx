import { Button } from '@mantine/core'
import { counted, number } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { texts as lists } from '../../../ui/lists/texts.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { Note } from '../../../ui/state.tsx'
import { shownName } from '../paths.ts'
import { texts as files } from '../texts.ts'
import type { Entry } from './restore-all.ts'
import type { Restoring } from './restoring.ts'
import { texts } from './texts.ts'

type Props = {
  rows: Entry[]
  chosen: Entry[]
  choose: (keys: ReadonlySet<string>) => void
  isBusy: boolean
  restore: (entries: Entry[]) => void
  /** Null for all that is in the bin. */
  remove: (entries: Entry[] | null) => void
}

/** What can be done with all that is chosen in the bin, or with all of it. */
export function WithChosen(props: Props) {
  const { chosen } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own
    <div className="bulk-bar" role="group" aria-label={lists.chosen}>
      <span>{counted(chosen.length, texts.oneChosen, texts.manyChosen)}</span>
      {chosen.length === 0 ? <OfAll {...props} /> : <OfChosen {...props} />}
    </div>
  )
}

const OfAll = ({ rows, choose, isBusy, remove }: Props) => (
  <>
    <SmallButton disabled={isBusy} onClick={() => choose(new Set(rows.map(({ id }) => id)))}>
      {files.chooseAll}
    </SmallButton>
    <SmallButton disabled={isBusy} onClick={() => remove(null)}>
      {texts.emptyBin}
    </SmallButton>
  </>
)

const OfChosen = ({ chosen, choose, isBusy, restore, remove }: Props) => (
  <>
    <Button size="compact-sm" loading={isBusy} onClick={() => restore(chosen)}>
      {texts.restoreChosen}
    </Button>
    <SmallButton disabled={isBusy} onClick={() => remove(chosen)}>
      {texts.deleteChosen}
    </SmallButton>
    <Button size="compact-sm" variant="subtle" onClick={() => choose(new Set())}>
      {lists.chooseNone}
    </Button>
  </>
)

const SHOWN = 8

/** How far it is, and what stays in the bin. */
export function Restored({ restoring, there }: { restoring: Restoring; there: Entry[] }) {
  const { progress, error } = restoring
  const left = restoring.left.filter(({ entry }) => there.some(({ id }) => id === entry.id))
  return (
    <>
      {error ? <ErrorNote error={error} focus /> : null}
      <div role="status">
        {progress !== null && progress.total > 1 ? (
          <p className="small">{texts.restoring(number(progress.done), number(progress.total))}</p>
        ) : null}
        {left.length > 0 ? (
          <Note tone="warn" title={texts.notRestored(number(left.length))}>
            <ul className="bullets">
              {left.slice(0, SHOWN).map(({ entry, why }) => (
                <li key={entry.id}>
                  <bdi className="mono">{shownName(entry.ruta)}</bdi>: {why}
                </li>
              ))}
            </ul>
            {left.length > SHOWN ? <p>{files.andMore(number(left.length - SHOWN))}</p> : null}
          </Note>
        ) : null}
      </div>
    </>
  )
}
