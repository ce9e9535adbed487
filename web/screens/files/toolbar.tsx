import { Button, Menu } from '@mantine/core'
import { common } from '../../text/common.ts'
import { number } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import type { Entry } from './folder.ts'
import type { Asked, What } from './operations/dialogs.tsx'
import { isArchive, shownName } from './paths.ts'
import { texts } from './texts.ts'
import { UploadButtons } from './uploads/button.tsx'

/** As many as one operation takes. */
const MOST = 1000

type Ask = (asked: Asked) => void

/** What can be brought to the folder, and made in it. */
export function MakeBar({ path, ask }: { path: string; ask: Ask }) {
  return (
    <>
      <UploadButtons path={path} />
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="folder" size={14} />}
        onClick={() => ask({ what: 'folder' })}
      >
        {texts.newFolder}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="file" size={14} />}
        onClick={() => ask({ what: 'file' })}
      >
        {texts.newFile}
      </Button>
    </>
  )
}

type BarProps = {
  entries: Entry[]
  /** Whether nothing in the folder can be changed. */
  kept: boolean
  ask: Ask
  download: (entry: Entry) => void
}

/** What can be done with what is chosen. */
export function SelectionBar({ entries, kept, ask, download }: BarProps) {
  const [first] = entries
  const one = entries.length === 1 && first ? first : null
  const none = entries.length === 0 || entries.length > MOST
  const button = (what: What, label: string, disabled = none) => (
    <SmallButton key={what} disabled={disabled} onClick={() => ask({ what, entries })}>
      {label}
    </SmallButton>
  )
  return (
    <section className="actions file-bar" aria-label={texts.onWhatIsChosen}>
      <span className="small file-count" role="status">
        <bdi>{chosenWords(entries)}</bdi>
      </span>
      <SmallButton disabled={one === null} onClick={() => one && download(one)}>
        {one?.tipo === 'carpeta' ? texts.downloadFolder : texts.download}
      </SmallButton>
      {kept ? null : button('rename', texts.rename, one === null)}
      {kept ? null : button('move', texts.move)}
      {button('copy', texts.copy)}
      {kept ? null : button('delete', common.delete)}
      {kept ? null : <MoreMenu entries={entries} ask={ask} disabled={none} />}
    </section>
  )
}

type MoreProps = { entries: Entry[]; ask: Ask; disabled: boolean }

function MoreMenu({ entries, ask, disabled }: MoreProps) {
  const [first, ...others] = entries
  const packed = first && others.length === 0 && first.tipo === 'archivo' && isArchive(first.nombre)
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <SmallButton disabled={disabled} rightSection={<Icon name="down" size={12} />}>
          {texts.more}
        </SmallButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask({ what: 'compress', entries })}>{texts.compress}</Menu.Item>
        {packed ? (
          <Menu.Item onClick={() => ask({ what: 'extract', entries })}>{texts.extract}</Menu.Item>
        ) : null}
        <Menu.Item onClick={() => ask({ what: 'permissions', entries })}>{texts.permissions}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function chosenWords(entries: Entry[]): string {
  const [first] = entries
  if (!first) return texts.nothingChosen
  if (entries.length > MOST) return texts.tooMany
  return entries.length === 1 ? shownName(first.nombre) : texts.manyChosen(number(entries.length))
}
