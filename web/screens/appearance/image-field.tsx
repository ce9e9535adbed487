import { FileButton, Input } from '@mantine/core'
import { useId } from 'react'
import { imagePath } from '../../api/appearance.ts'
import { SmallButton } from '../../ui/small-button.tsx'
import { texts } from './texts.ts'

/** A new image in base64; null takes the present one away, undefined leaves it. */
export type ImageChoice = string | null | undefined

type Props = {
  image: 'logo' | 'icono'
  label: string
  /** The mark of the present one. */
  present: string | null
  choice: ImageChoice
  choose: (choice: ImageChoice) => void
  error: string | undefined
}

/** Chooses an image, shows the present one, or takes it away. */
export function ImageField({ image, label, present, choice, choose, error }: Props) {
  const id = useId()
  const shown = choice === undefined && present !== null
  const read = async (file: File | null) => {
    if (file) choose(await base64Of(file))
  }
  return (
    <fieldset className="image-field" aria-describedby={id}>
      <legend className="field-label">{label}</legend>
      <div className="actions">
        {shown ? (
          <img src={imagePath(image, present)} alt={texts.present(label)} width={32} height={32} />
        ) : null}
        {typeof choice === 'string' ? <span className="small">{texts.chosen}</span> : null}
        {choice === null ? <span className="small">{texts.willGo}</span> : null}
        <FileButton onChange={(file) => void read(file)} accept="image/png">
          {(props) => (
            <SmallButton {...props} aria-label={texts.chooseFor(label)}>
              {texts.choose}
            </SmallButton>
          )}
        </FileButton>
        {shown ? (
          <SmallButton aria-label={texts.removeFor(label)} onClick={() => choose(null)}>
            {texts.remove}
          </SmallButton>
        ) : null}
        {choice === undefined ? null : (
          <SmallButton onClick={() => choose(undefined)}>{texts.leave}</SmallButton>
        )}
      </div>
      {error ? (
        <Input.Error id={id}>{error}</Input.Error>
      ) : (
        <Input.Description id={id}>{texts.imageHint}</Input.Description>
      )}
    </fieldset>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
