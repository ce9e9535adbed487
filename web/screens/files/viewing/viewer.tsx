import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../../text/common.ts'
import { bytes } from '../../../text/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Note } from '../../../ui/state.tsx'
import type { Entry } from '../folder.ts'
import { toList } from '../operations/dialogs.tsx'
import { isBinary, isPicture, join, shownName } from '../paths.ts'
import { Editor } from './editor.tsx'
import { Picture } from './picture.tsx'
import { MOST_BYTES } from './text.ts'
import { texts } from './texts.ts'

/** A file that is looked at; one without an entry is to be made. */
export type Viewed = { name: string; entry: Entry | null; folder: string }

type Props = {
  viewed: Viewed | null
  domain: string
  close: () => void
  download: (entry: Entry, folder: string) => void
}

/** One file: a text to be edited, a picture, or what can only be downloaded. */
export function Viewer({ viewed, domain, close, download }: Props) {
  const [unsaved, setUnsaved] = useState(false)
  const leave = () => {
    setUnsaved(false)
    close()
  }
  const name = viewed?.name ?? ''
  const place = { domain, path: join(viewed?.folder ?? '/', name) }
  const other = viewed?.entry ? (
    <NotShown entry={viewed.entry} download={(entry) => download(entry, viewed.folder)} />
  ) : null
  return (
    <Dialog
      title={<bdi>{shownName(name)}</bdi>}
      opened={viewed !== null}
      close={leave}
      closed={toList}
      size="64rem"
      unsaved={unsaved}
    >
      {viewed === null ? null : isPicture(name) && viewed.entry ? (
        <Picture place={place} otherwise={other} />
      ) : viewed.entry && !mayBeText(viewed.entry) ? (
        other
      ) : (
        <Editor place={place} fresh={viewed.entry === null} changed={setUnsaved} otherwise={other} />
      )}
    </Dialog>
  )
}

/** What a link leads to is not known before it is read. */
const mayBeText = ({ nombre, tipo, bytes }: Entry): boolean =>
  tipo === 'enlace' || (!isBinary(nombre) && bytes <= MOST_BYTES)

function NotShown({ entry, download }: { entry: Entry; download: (entry: Entry) => void }) {
  return (
    <div className="form">
      <Note tone="info" title={texts.notShown}>
        <p>{texts.notShownAdvice}</p>
      </Note>
      <div className="form-foot">
        <Button leftSection={<Icon name="download" size={14} />} onClick={() => download(entry)}>
          {common.download} {entry.tipo === 'archivo' ? `· ${bytes(entry.bytes)}` : ''}
        </Button>
      </div>
    </div>
  )
}
