import { Button } from '@mantine/core'

/** A quiet button in a row of a table, or beside what it is about. */
export const SmallButton = Button.withProps({ size: 'compact-sm', variant: 'default' })
