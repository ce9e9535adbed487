import { Button } from '@mantine/core'
import { siteAddress } from '../../links.ts'
import { Icon } from '../../ui/icons.tsx'
import { texts } from './texts.ts'

/** The way to what visitors see. */
export const SeeSite = ({ site }: { site: Parameters<typeof siteAddress>[0] }) => (
  <Button
    component="a"
    href={siteAddress(site)}
    target="_blank"
    rel="noreferrer"
    variant="default"
    leftSection={<Icon name="external" />}
  >
    {texts.seeSite}
  </Button>
)
