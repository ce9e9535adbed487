import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Waiting } from '../../../ui/page.tsx'
import { nameOf, shownName } from '../paths.ts'
import { type Place, readBytes } from './text.ts'
import { texts } from './texts.ts'

const MOST_BYTES = 32 * 1024 * 1024
/** No picture is drawn wider or higher than this. */
const MOST_PIXELS = 2048

/**
 * A picture, drawn: its bytes are decoded as one and are never a document of the panel's origin, so the page's policy
 * on what may be loaded stays as it is.
 */
export function Picture({ place, otherwise }: { place: Place; otherwise: ReactNode }) {
  const { domain, path } = place
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<'reading' | 'drawn' | 'not' | ApiError>('reading')
  useEffect(() => {
    let wanted = true
    decodedPicture({ domain, path })
      .then((picture) => {
        if (wanted) setState(picture && canvas.current && draw(canvas.current, picture) ? 'drawn' : 'not')
      })
      .catch((thrown) => {
        if (wanted) setState(asApiError(thrown))
      })
    return () => {
      wanted = false
    }
  }, [domain, path])
  if (state === 'not') return otherwise
  if (typeof state === 'object') return <ErrorNote error={state} />
  return (
    <div className="picture">
      {state === 'reading' ? <Waiting lines={3} /> : null}
      <canvas
        ref={canvas}
        hidden={state === 'reading'}
        role="img"
        aria-label={texts.picture(shownName(nameOf(path)))}
      />
    </div>
  )
}

/** Null for what is too large or is no picture. */
async function decodedPicture(place: Place): Promise<ImageBitmap | null> {
  const read = await readBytes(place, MOST_BYTES)
  return read && createImageBitmap(new Blob([read.bytes])).catch(() => null)
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap): boolean {
  const scale = Math.min(1, MOST_PIXELS / Math.max(picture.width, picture.height))
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return true
}
