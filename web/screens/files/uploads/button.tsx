import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../../../ui/icons.tsx'
import { texts } from '../texts.ts'
import { chosenIn } from './dropped.ts'
import { useSend } from './sending.tsx'

/** Chooses files, or a folder with all that is in it, to upload into a folder. */
export function UploadButtons({ path }: { path: string }) {
  const field = useRef<HTMLInputElement>(null)
  const send = useSend()
  const choose = (folder: boolean) => {
    if (!field.current) return
    field.current.webkitdirectory = folder
    field.current.click()
  }
  return (
    <>
      <Button size="xs" leftSection={<Icon name="upload" size={14} />} onClick={() => choose(false)}>
        {texts.upload}
      </Button>
      {/* Some phones know files alone. */}
      {'webkitdirectory' in HTMLInputElement.prototype ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="upload" size={14} />}
          onClick={() => choose(true)}
        >
          {texts.uploadFolder}
        </Button>
      ) : null}
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={texts.upload}
        onChange={({ currentTarget }) => {
          void send(chosenIn(currentTarget.files ?? [], path))
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
