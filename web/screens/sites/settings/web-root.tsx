import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useAction, useRead } from '../../../api/hooks.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { Note } from '../../../ui/state.tsx'
import { texts } from './rules-texts.ts'

/** A folder of the site as the settings name it: without slashes around it. */
export const folderIn = (typed: string): string => typed.trim().replace(/^\/+|\/+$/g, '')

type Props = {
  domain: string
  /** The one that is served now. */
  kept: string
  value: string
  onChange: (typed: string) => void
  error: string | undefined
}

/** The folder that is served. One in which there is nothing is only taken on the person's word. */
export function WebRootField({ domain, kept, value, onChange, error }: Props) {
  const folder = folderIn(value)
  const look = useLook(domain, { folder, kept })
  const [meant, setMeant] = useState<string | null>(null)
  const isMeant = meant === folder
  const note = useRef<HTMLDivElement>(null)
  useSentOnceSeen(note, look)
  return (
    <>
      <TextField
        mono
        label={texts.webRoot}
        description={texts.webRootHint}
        value={value}
        onChange={onChange}
        error={error}
        check={() => problemOf(look, isMeant)}
      />
      <div role="status" ref={note}>
        {look === 'missing' ? <Missing domain={domain} folder={folder} /> : null}
        {look === 'empty' || look === 'made' ? (
          <Note tone="warn" title={look === 'empty' ? texts.rootEmpty(folder) : texts.rootMade(folder)}>
            <p>{texts.rootEmptyAdvice}</p>
            <Checkbox
              label={texts.serveAnyway}
              checked={isMeant}
              onChange={(event) => setMeant(event.currentTarget.checked ? folder : null)}
            />
          </Note>
        ) : null}
      </div>
    </>
  )
}

/** Sends a form again that was sent while the folder was being looked at, once it has been. */
function useSentOnceSeen(inside: RefObject<HTMLElement | null>, look: Look): void {
  const seen = useRef(look)
  const isSent = useRef(false)
  useEffect(() => {
    const form = inside.current?.closest('form')
    const note = () => {
      isSent.current = seen.current === 'looking'
    }
    form?.addEventListener('submit', note)
    return () => form?.removeEventListener('submit', note)
  }, [inside])
  useEffect(() => {
    seen.current = look
    if (look === 'looking' || !isSent.current) return
    isSent.current = false
    inside.current?.closest('form')?.requestSubmit()
  }, [inside, look])
}

/** `made`: the panel creates it, empty, when it is to be served. */
type Look = 'kept' | 'filled' | 'empty' | 'made' | 'missing' | 'none' | 'looking' | 'unknown'

function problemOf(look: Look, isMeant: boolean): string | null {
  if (look === 'missing') return texts.rootMissing
  if (look === 'none') return texts.rootNoFolder
  if (look === 'looking') return texts.rootLooking
  return (look === 'empty' || look === 'made') && !isMeant ? texts.rootNothing : null
}

/** What is in a folder that is not served yet. */
function useLook(domain: string, { folder, kept }: { folder: string; kept: string }): Look {
  const [settled] = useDebouncedValue(folder, 200)
  const read = useRead(
    'GET /api/sitios/:domain/archivos',
    { params: { domain }, query: { ruta: `/${settled}`, limite: '1' } },
    { enabled: settled !== kept && settled !== '' },
  )
  if (folder === kept || folder === '') return 'kept'
  if (settled !== folder || read.isPending) return 'looking'
  const code = read.error?.codigo
  if (code === 'archivo_no_existe') return folder.startsWith('public/') ? 'missing' : 'made'
  if (code === 'ruta_invalida') return 'none'
  if (read.error) return 'unknown'
  return read.data && read.data.datos.length > 0 ? 'filled' : 'empty'
}

function Missing({ domain, folder }: { domain: string; folder: string }) {
  const make = useAction('POST /api/sitios/:domain/archivos/operaciones')
  return (
    <Note tone="warn" title={texts.rootIsMissing(folder)}>
      {make.error ? <ErrorNote error={make.error} /> : null}
      <p>
        <SmallButton
          loading={make.busy}
          onClick={() =>
            make.run({ params: { domain }, body: { operacion: 'carpeta', rutas: [`/${folder}`] } })
          }
        >
          {texts.makeFolder}
        </SmallButton>
      </p>
    </Note>
  )
}
