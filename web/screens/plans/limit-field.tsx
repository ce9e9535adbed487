import { Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { common } from '../../text/common.ts'
import { bytes, number } from '../../text/format.ts'
import { limitName } from '../../text/states.ts'
import type { Resource } from '../../ui/meter.tsx'
import { type Limit, ofBytes, readLimit } from './limits.ts'
import { texts } from './texts.ts'

/** A limit: what is typed, what it was read as, and "No limit" as a choice of its own. */
export function LimitField({
  resource,
  limit,
  onChange,
  error,
  tried,
}: {
  resource: Resource
  limit: Limit
  onChange: (limit: Limit) => void
  error: string | undefined
  /** Whether sending was tried: then an empty field is at fault too. */
  tried: boolean
}) {
  // Told at a pause, not as the field is left: what appears then would move what is being clicked.
  const [settled] = useDebouncedValue(limit.text, 500)
  const reading = readLimit(resource, limit)
  const told = tried || (settled === limit.text && settled.trim() !== '')
  const problem = 'problem' in reading && told ? reading.problem : undefined
  return (
    <div className="limit">
      <TextInput
        label={limitName(resource)}
        value={limit.text}
        disabled={limit.unlimited}
        placeholder={limit.unlimited ? '∞' : ''}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={'value' in reading && reading.value !== null ? readAs(resource, reading.value) : null}
        error={problem ?? error}
        onChange={(event) => onChange({ ...limit, text: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Checkbox
        label={texts.noLimit}
        aria-label={`${limitName(resource)}: ${common.noLimit}`}
        checked={limit.unlimited}
        onChange={(event) => onChange({ ...limit, unlimited: event.currentTarget.checked })}
      />
    </div>
  )
}

function processors(value: number): string {
  const amount = number(value / 100)
  return value === 100 ? texts.oneProcessor : texts.processors(amount)
}

/** `= 10 GB · 10,000,000,000 bytes`: nobody has to guess how a size was understood; a count is what it is. */
function readAs(resource: Resource, value: number): string | null {
  if (resource === 'cpu_porcentaje') return `= ${processors(value)}`
  if (!ofBytes(resource)) return null
  const exact = `${number(value)} ${texts.bytes}`
  return value < 1000 ? `= ${exact}` : `= ${bytes(value)} · ${exact}`
}
