import { ActionIcon, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { readAll } from '../../api/hooks.ts'
import type { ItemOf, PagedOperation } from '../../api/operations.ts'
import { createStore } from '../../api/store.ts'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { remember, remembered } from '../../text/language.ts'
import { Dialog } from '../dialog.tsx'
import { ErrorNote } from '../error-note.tsx'
import { TextField } from '../forms/fields.tsx'
import { Icon } from '../icons.tsx'
import { SmallButton } from '../small-button.tsx'
import { announce } from '../toast.tsx'
import { saveFile } from '../transfers/save.ts'
import { type CsvColumn, csvOf } from './csv.ts'
import { texts } from './texts.ts'
import { dropView, saveView, useViews } from './views.ts'

const DENSE = 'panel.compacta'
const dense = createStore(remembered(DENSE) === 'si')

/** Whether rows take as little room as they can: a choice of taste, for all listings. */
export const useDense = dense.use

type Props<K extends PagedOperation> = {
  op: K
  /** The filters and the order that are set. */
  query: Record<string, string | undefined>
  /** What it is called in the address, and its file. */
  listing: string
  csv: CsvColumn<ItemOf<K>>[]
}

/** What every listing can do: saved views, compact rows, a file for spreadsheets. */
export function ListTools<K extends PagedOperation>({ op, query, listing, csv }: Props<K>) {
  const compact = useDense()
  const [open, setOpen] = useState(false)
  const toggle = () => {
    dense.set(!compact)
    remember(DENSE, compact ? null : 'si')
  }
  return (
    <div className="list-tools">
      <SmallButton onClick={() => setOpen(true)}>{texts.views}</SmallButton>
      <Button
        className="only-wide"
        size="compact-sm"
        variant={compact ? 'light' : 'default'}
        aria-pressed={compact}
        onClick={toggle}
      >
        {texts.compact}
      </Button>
      <SaveCsv op={op} query={query} listing={listing} csv={csv} />
      <Dialog
        title={texts.savedViews}
        opened={open}
        close={() => setOpen(false)}
        size="28rem"
        unsaved={false}
      >
        <Views listing={listing} close={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Views({ listing, close }: { listing: string; close: () => void }) {
  const views = useViews(listing)
  const query = useSearch()
  const [path, navigate] = useLocation()
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    saveView(listing, { name: name.trim(), query })
    announce(common.saved)
    close()
  }
  const show = (wanted: string) => {
    close()
    navigate(wanted ? `${path}?${wanted}` : path)
  }
  return (
    <div className="form">
      {views.length === 0 ? <p className="faint">{texts.noViewYet}</p> : null}
      <ul className="views">
        {views.map((view) => (
          <li key={view.name}>
            <button type="button" className="link-button" onClick={() => show(view.query)}>
              {view.name}
            </button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.forgetView(view.name)}
              onClick={() => dropView(listing, view.name)}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <form onSubmit={save} className="view-form">
        <TextField label={texts.viewName} value={name} onChange={setName} max={60} />
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          {texts.saveThisView}
        </Button>
      </form>
    </div>
  )
}

/** Pages of 200 that one file may have: more would not fit a spreadsheet. */
const MOST_PAGES = 1000

function SaveCsv<K extends PagedOperation>({ op, query, listing, csv }: Props<K>) {
  const [read, setRead] = useState<number | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setError(null)
    setRead(0)
    try {
      const { rows, complete } = await readAll(op, { most: MOST_PAGES, query, reached: setRead })
      saveFile(new Blob([csvOf(csv, rows)], { type: 'text/csv' }), `${listing}.csv`)
      if (!complete) announce(texts.tooManyRows)
    } catch (thrown) {
      setError(asApiError(thrown))
    } finally {
      setRead(null)
    }
  }
  return (
    <>
      <SmallButton leftSection={<Icon name="download" size={14} />} disabled={read !== null} onClick={save}>
        {read === null ? texts.saveAsCsv : texts.readingRows(number(read))}
      </SmallButton>
      {error ? <ErrorNote error={error} retry={save} /> : null}
    </>
  )
}
