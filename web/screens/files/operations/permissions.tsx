import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { TextField } from '../../../ui/forms/fields.tsx'
import type { Entry } from '../folder.ts'
import { join } from '../paths.ts'
import { texts } from '../texts.ts'
import type { Here } from './forms.tsx'
import { Operation } from './operation.tsx'

/** Who may do what: as boxes, and as the number that programs tell. */
export function Permissions({ domain, path, entries, close }: Here & { entries: Entry[] }) {
  const [octal, setOctal] = useState(`0${(entries[0]?.permisos ?? '0640').slice(-3)}`)
  const good = /^0?[0-7]{3}$/.test(octal)
  const bits = good ? Number.parseInt(octal, 8) : 0
  const flip = (bit: number) => setOctal((bits ^ bit).toString(8).padStart(4, '0'))
  return (
    <Operation
      domain={domain}
      body={{
        operacion: 'permisos',
        rutas: entries.map(({ nombre }) => join(path, nombre)),
        permisos: octal,
      }}
      submit={texts.permissions}
      told={texts.changedMode}
      complete={good}
      close={close}
    >
      {(error, tried) => (
        <>
          {GROUPS.map(([who, shift]) => (
            <fieldset key={who} className="file-modes">
              <legend className="strong">{texts[who]}</legend>
              {RIGHTS.map(([right, bit]) => (
                <Checkbox
                  key={right}
                  label={texts[right]}
                  checked={(bits & (bit << shift)) !== 0}
                  onChange={() => flip(bit << shift)}
                />
              ))}
            </fieldset>
          ))}
          <TextField
            mono
            label={texts.octal}
            description={texts.octalHint}
            value={octal}
            onChange={setOctal}
            error={error('permisos') ?? (tried && !good ? texts.octalHint : undefined)}
          />
        </>
      )}
    </Operation>
  )
}

const GROUPS = [
  ['owner', 6],
  ['group', 3],
  ['others', 0],
] as const
const RIGHTS = [
  ['read', 4],
  ['write', 2],
  ['run', 1],
] as const
