import { Button } from '@mantine/core'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { queries } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Waiting } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import { announce } from '../../../ui/toast.tsx'
import { LIST } from '../folder.ts'
import { nameOf, shownName } from '../paths.ts'
import type { CodeHandle } from './code/code.tsx'
import { Conflict } from './conflict.tsx'
import { type Place, readAgain, readText, type Version, writeText } from './text.ts'
import { texts } from './texts.ts'

/** As large as the rest of the file screen: it comes with the first text that is opened. */
const Code = lazy(() => import('./code/code.tsx'))

type Props = {
  place: Place
  /** It is not there yet. */
  fresh: boolean
  changed: (unsaved: boolean) => void
  /** What is shown where it is no text. */
  otherwise: ReactNode
}

const NEW: Version = { text: '', etag: null, ending: '\n' }

/** Reads a text, then edits it. */
export function Editor(props: Props) {
  const { place, fresh, otherwise } = props
  const { domain, path } = place
  const [read, setRead] = useState<Version | 'not' | ApiError | null>(fresh ? NEW : null)
  useEffect(() => {
    if (fresh) return
    let wanted = true
    readText({ domain, path })
      .then((version) => wanted && setRead(version ?? 'not'))
      .catch((thrown) => wanted && setRead(asApiError(thrown)))
    return () => {
      wanted = false
    }
  }, [domain, path, fresh])
  if (read === null) return <Waiting lines={8} />
  if (read === 'not') return otherwise
  if (read instanceof Error) return <ErrorNote error={read} />
  return <Editing {...props} first={read} />
}

type Saving = {
  version: Version
  busy: boolean
  error: ApiError | null
  /** What the file holds now, where that is not what was read; null within for a file that is gone. */
  conflict: { theirs: Version | null } | null
  save(text: string, over?: Version): Promise<boolean>
  take(theirs: Version): void
}

/** Saves over the version that was read, and over another only on its person's word. */
function useSaving(place: Place, first: Version): Saving {
  const [version, setVersion] = useState(first)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [conflict, setConflict] = useState<Saving['conflict']>(null)
  const save = async (text: string, over = version) => {
    setBusy(true)
    setError(null)
    try {
      setVersion(await writeText(place, { ...over, text }))
      setConflict(null)
      announce(common.saved)
      void queries.invalidateQueries({ queryKey: [LIST] })
      return true
    } catch (thrown) {
      const problem = asApiError(thrown)
      if (problem.codigo !== 'version_distinta') setError(problem)
      else
        await readAgain(place).then(
          (theirs) => setConflict({ theirs }),
          (failed) => setError(asApiError(failed)),
        )
      return false
    } finally {
      setBusy(false)
    }
  }
  const take = (theirs: Version) => {
    setVersion(theirs)
    setConflict(null)
  }
  return { version, busy, error, conflict, save, take }
}

function Editing({ place, fresh, first, changed }: Props & { first: Version }) {
  const field = useRef<CodeHandle>(null)
  const [unsaved, setUnsaved] = useState(fresh)
  const [everSaved, setEverSaved] = useState(false)
  const saving = useSaving(place, first)
  const { version, busy, error, conflict } = saving
  const mark = (now: boolean) => {
    setUnsaved(now)
    changed(now)
  }
  const save = async (over?: Version) => {
    const text = field.current?.text() ?? version.text
    // What was typed while it was being saved is not saved.
    if (!(await saving.save(text, over))) return
    setEverSaved(true)
    mark(field.current?.text() !== text)
  }
  const take = (theirs: Version) => {
    field.current?.replace(theirs.text)
    saving.take(theirs)
    mark(false)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!busy) void save()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S from any part of it
    <div className="form" onKeyDown={press}>
      {version.ending === 'mixed' ? <Note tone="warn" title={texts.mixedEndings} /> : null}
      <Suspense fallback={<Waiting lines={8} />}>
        <Code
          ref={field}
          name={nameOf(place.path)}
          label={texts.content(shownName(nameOf(place.path)))}
          initial={first.text}
          changed={() => mark(true)}
        />
      </Suspense>
      {conflict ? <Conflict theirs={conflict.theirs} busy={busy} save={save} take={take} /> : null}
      {error ? <ErrorNote error={error} focus /> : null}
      <div className="form-foot">
        <Button loading={busy} disabled={!unsaved || conflict !== null} onClick={() => save()}>
          {common.save}
        </Button>
        <span className="faint small" role="status">
          {unsaved ? texts.unsaved : everSaved ? texts.isSaved : ''}
        </span>
      </div>
      <p className="faint small">{texts.editorHint}</p>
    </div>
  )
}
