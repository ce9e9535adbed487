import { Button } from '@mantine/core'
import type { Reply } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import type { InputOf, Operation } from '../api/operations.ts'
import { ErrorNote } from './error-note.tsx'
import { Icon } from './icons.tsx'

type Props<K extends Operation> = {
  op: K
  input: InputOf<K>
  /** Where the answer leads. */
  url: (answer: Reply<K>) => string
  label: string
  /** What a screen reader is told, where the label alone does not say what it opens. */
  name?: string
  small?: boolean
}

/**
 * Opens what an operation answers a link to beside the panel. The tab is opened by the click itself, since browsers
 * stop what comes later; it knows nothing of the page that it was opened by.
 */
export function NewTabButton<K extends Operation>({ op, input, url, label, name, small = false }: Props<K>) {
  const action = useAction(op)
  const open = async () => {
    const tab = window.open('about:blank', '_blank')
    if (tab) tab.opener = null
    const answer = await action.run(input)
    if (!answer) return tab?.close()
    if (tab) tab.location.replace(url(answer))
    else location.assign(url(answer))
  }
  return (
    <>
      <Button
        {...(small ? { size: 'compact-sm', variant: 'default' } : {})}
        rightSection={<Icon name="external" size={14} />}
        loading={action.busy}
        onClick={() => void open()}
        {...(name ? { 'aria-label': name } : {})}
      >
        {label}
      </Button>
      {action.error ? <ErrorNote error={action.error} focus /> : null}
    </>
  )
}
