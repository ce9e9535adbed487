import { useState } from 'react'
import { TextField } from '../../../ui/forms/fields.tsx'
import { required } from '../../../ui/forms/rules.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { FileChoice } from '../../files/choice.tsx'
import { texts } from './texts.ts'

type Props = {
  domain: string
  /** Relative to the site's folder. */
  value: string
  onChange: (path: string) => void
  error: string | undefined
}

/** A PHP file of the site, typed or found in its folders. */
export function ScriptField({ domain, value, onChange, error }: Props) {
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="stack">
      <TextField
        mono
        label={texts.script}
        description={texts.scriptHint}
        placeholder="public/tarea.php"
        value={value}
        onChange={onChange}
        check={required}
        error={error}
      />
      {choosing ? (
        <FileChoice
          domain={domain}
          folder="/public"
          chosen={`/${value}`}
          choose={(path) => onChange(path.slice(1))}
          fits={(name) => name.endsWith('.php')}
          none={texts.noScripts}
        />
      ) : (
        <div>
          <SmallButton onClick={() => setChoosing(true)}>{texts.chooseScript}</SmallButton>
        </div>
      )}
    </div>
  )
}
