import { SmallButton } from '../../../ui/small-button.tsx'
import { Note } from '../../../ui/state.tsx'
import { type Rrset, sameRrset } from './records-data.ts'
import { ValueList } from './table.tsx'
import { texts } from './texts.ts'

type Props = {
  /** The record set as it was when the form was opened, and as it is now. */
  before: Rrset | null
  now: Rrset | null
  /** Goes on from what is there now. */
  keep: (now: Rrset | null) => void
  drop: () => void
}

/** Somebody else changed the zone meanwhile: what of it concerns this form, and the two ways on. */
export function Conflict({ before, now, keep, drop }: Props) {
  if (sameRrset(before, now)) {
    return (
      <Note tone="info" title={texts.otherChangeMeanwhile}>
        <p>
          <SmallButton onClick={() => keep(now)}>{texts.goOnFromThere}</SmallButton>
        </p>
      </Note>
    )
  }
  return (
    <Note tone="warn" title={texts.sameSetChanged}>
      {now ? (
        <>
          <p>
            {texts.itIsNow} TTL {now.ttl}
          </p>
          <ValueList values={now.valores} />
        </>
      ) : (
        <p>{texts.itWasDeleted}</p>
      )}
      <p className="actions">
        <SmallButton onClick={() => keep(now)}>{texts.keepMinePlace}</SmallButton>
        <SmallButton onClick={drop}>{texts.leaveAsIs}</SmallButton>
      </p>
    </Note>
  )
}
