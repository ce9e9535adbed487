import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../../../ui/icons.tsx'
import { join } from '../paths.ts'
import { texts } from '../texts.ts'
import { uploadFiles } from './queue.ts'

/** Chooses files to upload into a folder. */
export function UploadButton({ domain, path }: { domain: string; path: string }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="xs" leftSection={<Icon name="upload" size={14} />} onClick={() => field.current?.click()}>
        {texts.upload}
      </Button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={texts.upload}
        onChange={({ currentTarget }) => {
          uploadFiles(
            [...(currentTarget.files ?? [])].map((file) => ({ domain, file, path: join(path, file.name) })),
          )
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
