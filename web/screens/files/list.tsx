import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { common } from '../../text/common.ts'
import { bytes, dateTime } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Entry, Folder } from './folder.ts'
import { shownName } from './paths.ts'
import { everything, picked, pressed, type Selection, toggled } from './selection.ts'
import { texts } from './texts.ts'
import { useRowWindow } from './window.ts'

const ROW = 40
/** On a narrow screen size and date stand below the name. */
const NARROW_ROW = 56

type Props = {
  folder: Folder
  selection: Selection
  select: (selection: Selection) => void
  open: (entry: Entry) => void
  /** A key that does something with what is chosen; whether it was one. */
  act: (event: KeyboardEvent) => boolean
}

/** A folder's entries. Only those in sight are in the page; the keyboard is at the whole list. */
export function FileList({ folder, selection, select, open, act }: Props) {
  const { rows, more, loadingMore, loadMore } = folder
  const box = useRef<HTMLDivElement>(null)
  const height = useMediaQuery('(max-width: 44rem)') ? NARROW_ROW : ROW
  const { from, to, page, show } = useRowWindow(box, { count: rows.length, height })
  useEffect(() => {
    if (more && !loadingMore && to > rows.length - 40) loadMore()
  }, [more, loadingMore, to, rows.length, loadMore])
  // The keyboard goes on in the folder that was opened.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [])
  const names = rows.map(({ nombre }) => nombre)
  const press = (event: KeyboardEvent) => {
    const { key, shiftKey: shift } = event
    const ctrl = event.ctrlKey || event.metaKey
    const next = pressed(selection, names, { key, shift, ctrl, page })
    if (!next && !act(event)) return
    event.preventDefault()
    if (!next) return
    select(next)
    if (next.active !== null) show(names.indexOf(next.active))
  }
  const active = selection.active === null ? -1 : names.indexOf(selection.active)
  return (
    // biome-ignore-start lint/a11y: a table cannot leave out what is not in sight
    <div
      className="file-list"
      role="grid"
      aria-label={texts.files}
      aria-multiselectable="true"
      aria-rowcount={more ? -1 : rows.length + 1}
      aria-activedescendant={active >= from && active < to ? `file-${active}` : undefined}
      tabIndex={0}
      ref={box}
      onKeyDown={press}
    >
      <Head
        all={selection.chosen.size === rows.length && rows.length > 0}
        some={selection.chosen.size > 0}
        toggle={() => select(everything(selection, names))}
      />
      <div role="rowgroup" className="file-rows" style={{ height: rows.length * height }}>
        {rows.slice(from, to).map((entry, index) => (
          <Row
            key={entry.nombre}
            entry={entry}
            place={{ index: from + index, top: (from + index) * height, height }}
            selection={selection}
            pick={(how) => {
              select(picked(selection, names, { name: entry.nombre, ...how }))
              box.current?.focus({ preventScroll: true })
            }}
            toggle={() => select(toggled(selection, entry.nombre))}
            open={() => open(entry)}
          />
        ))}
      </div>
    </div>
  )
}

type HeadProps = { all: boolean; some: boolean; toggle: () => void }

const Head = ({ all, some, toggle }: HeadProps) => (
  <div role="rowgroup" className="file-head">
    <div role="row" className="file-row" aria-rowindex={1}>
      <div role="columnheader" className="file-check">
        <input
          type="checkbox"
          checked={all}
          ref={(box) => {
            if (box) box.indeterminate = some && !all
          }}
          onChange={toggle}
          aria-label={texts.chooseAll}
        />
      </div>
      <div role="columnheader" className="file-title">
        {common.name}
      </div>
      <div role="columnheader" className="file-size">
        {texts.size}
      </div>
      <div role="columnheader" className="file-time">
        {texts.changed}
      </div>
      <div role="columnheader" className="file-mode">
        {texts.permissions}
      </div>
    </div>
  </div>
)

type RowProps = {
  entry: Entry
  place: { index: number; top: number; height: number }
  selection: Selection
  pick: (how: { shift: boolean; ctrl: boolean }) => void
  toggle: () => void
  open: () => void
}

const ICONS = { archivo: 'file', carpeta: 'folder', enlace: 'link' } as const

function Row({ entry, place, selection, pick, toggle, open }: RowProps) {
  const { nombre, tipo, modificado, permisos } = entry
  const chosen = selection.chosen.has(nombre)
  const name = shownName(nombre)
  const size = tipo === 'archivo' ? bytes(entry.bytes) : '—'
  const marks = ['file-row', chosen && 'file-chosen', selection.active === nombre && 'file-active']
  return (
    <div
      role="row"
      id={`file-${place.index}`}
      className={marks.filter(Boolean).join(' ')}
      aria-rowindex={place.index + 2}
      aria-selected={chosen}
      style={{ top: place.top, height: place.height }}
      onClick={(event) => pick({ shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey })}
      onDoubleClick={open}
    >
      <div role="gridcell" className="file-check" onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={chosen}
          onChange={toggle}
          aria-label={texts.choose(name)}
        />
      </div>
      <div role="gridcell" className="file-title">
        <button
          type="button"
          className="file-name"
          tabIndex={-1}
          onClick={(event) => {
            if (event.shiftKey || event.ctrlKey || event.metaKey) return
            event.stopPropagation()
            open()
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <Icon name={ICONS[tipo]} />
          <span className="visually-hidden">{texts[tipo]}: </span>
          <bdi>{name}</bdi>
        </button>
        <span className="file-sub">
          {tipo === 'archivo' ? `${size} · ` : ''}
          {dateTime(modificado)}
        </span>
      </div>
      <div role="gridcell" className="file-size">
        {size}
      </div>
      <div role="gridcell" className="file-time">
        {dateTime(modificado)}
      </div>
      <div role="gridcell" className="file-mode mono">
        {permisos}
      </div>
    </div>
  )
}
// biome-ignore-end lint/a11y: a table cannot leave out what is not in sight
