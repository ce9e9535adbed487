import type { ReactNode } from 'react'

type TickProps = { label: string; checked: boolean; some?: boolean; toggle: () => void }

/** A box to choose a row by. One element: a list has hundreds, and a phone draws them all. */
export const Tick = ({ label, checked, some = false, toggle }: TickProps) => (
  <input
    type="checkbox"
    className="tick"
    aria-label={label}
    checked={checked}
    ref={(box) => {
      if (box) box.indeterminate = some && !checked
    }}
    onChange={toggle}
  />
)

/** The box that chooses all rows; a phone, which shows no other heads, says beside it what it does. */
export const TickAll = (props: TickProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the box is in it
  <label className="tick-all">
    <Tick {...props} />
    <span className="only-narrow" aria-hidden="true">
      {props.label}
    </span>
  </label>
)

/** A button of an icon at the end of a row, for the same reason; `name` says all of what it does. */
export const RowButton = (props: { name: string; title: string; press: () => void; children: ReactNode }) => (
  <button
    type="button"
    className="row-button"
    aria-label={props.name}
    title={props.title}
    onClick={props.press}
  >
    {props.children}
  </button>
)
