import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useRead } from '../api/hooks.ts'
import { t } from '../i18n/language.ts'
import { Loaded, PageHead } from '../ui/page.tsx'
import { MirrorView } from './mirror-view.tsx'
import { clientPath, zonePath } from './places.ts'

/** The mirror of a zone that may be gone here already: what is left at the provider is still told. */
export default function MirroredZone({ name }: { name: string }) {
  const mirror = useRead('GET /api/zonas/:zona/espejo', { params: { zona: name } }, { again: () => 5000 })
  return (
    <>
      <PageHead mono title={name} wire="GET /api/zonas/:zona/espejo">
        <Button component={Link} href={zonePath(name, 'espejo')} variant="default">
          {t('To the zone', 'Ir a la zona')}
        </Button>
      </PageHead>
      <Loaded of={mirror}>
        {(mirror) => (
          <div className="stack">
            <p>
              {t('Client', 'Cliente')}{' '}
              <Link className="mono" href={clientPath(mirror.cliente)}>
                {mirror.cliente}
              </Link>
            </p>
            <MirrorView mirror={mirror} admin />
          </div>
        )}
      </Loaded>
    </>
  )
}
