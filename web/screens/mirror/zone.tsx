import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import { clientPath, zonePath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { Loaded, PageHead } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { ZoneMirror } from './zone-mirror.tsx'

/** One mirrored zone, for admins. */
export default function MirroredZone({ name }: { name: string }) {
  const mirror = useRead('GET /api/zonas/:zona/espejo', { params: { zona: name } }, { again: () => 5_000 })
  return (
    <Loaded of={mirror}>
      {(mirror) => (
        <>
          <PageHead
            mono
            title={mirror.zona}
            wire="GET /api/zonas/:zona/espejo"
            lead={
              <span className="head-line">
                <State state={mirror.estado} />
                <Link href={clientPath(mirror.cliente)}>{mirror.cliente}</Link>
                <Link href={zonePath(mirror.zona)}>{common.records}</Link>
              </span>
            }
          />
          <ZoneMirror zona={name} mirror={mirror} />
        </>
      )}
    </Loaded>
  )
}
