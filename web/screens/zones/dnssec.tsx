import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { CopyLine } from '../../ui/copy.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { ParentCard } from './parent.tsx'
import { texts } from './texts.ts'
import type { Zone } from './zone-state.tsx'

/** Signing of a zone: on or off, and the DS records that the registrar needs. */
export default function DnssecTab({ zone }: { zone: Zone }) {
  return (
    <div className="stack">
      {zone.dnssec.activo ? <Signed zone={zone} /> : <Unsigned zone={zone} />}
      <ParentCard zona={zone.zona} />
    </div>
  )
}

function Unsigned({ zone }: { zone: Zone }) {
  return (
    <Card title="DNSSEC">
      <OpForm
        op="POST /api/zonas/:zona/dnssec"
        input={{ params: { zona: zone.zona } }}
        submit={texts.signTheZone}
        done={() => announce(texts.theZoneIsSigned)}
      >
        {() => (
          <>
            <p>
              <State state="inactiva" label={texts.notSigned} />
            </p>
            <p className="measure">{texts.whatSigningDoes}</p>
            {zone.espejo ? (
              <Note tone="warn" title={texts.thisZoneIsMirrored}>
                <p>{texts.mirrorIsNotSigned}</p>
              </Note>
            ) : null}
          </>
        )}
      </OpForm>
    </Card>
  )
}

function Signed({ zone }: { zone: Zone }) {
  const { zona, dnssec } = zone
  const [gone, setGone] = useState(false)
  return (
    <div className="stack">
      <Card title={texts.dsRecordsRegistrar} wire="GET /api/zonas/:zona">
        <p>
          <State state="activa" label={texts.signed} />
        </p>
        {dnssec.ds.length > 0 ? (
          <div className="zone-ds">
            {dnssec.ds.map((ds) => (
              <CopyLine key={ds} value={ds} label={texts.copyTheDsRecord} />
            ))}
          </div>
        ) : (
          <p role="status">{texts.keysBeingMade}</p>
        )}
        <p className="measure faint small">{texts.partsOfDs}</p>
      </Card>
      <Card title={texts.stopSigning}>
        <OpForm
          op="DELETE /api/zonas/:zona/dnssec"
          input={{ params: { zona } }}
          submit={texts.stopSigning}
          danger
          disabled={!gone}
          done={() => announce(texts.zoneNotSignedAny)}
        >
          {() => (
            <>
              <p className="measure">{texts.takeDsOutFirst}</p>
              <Checkbox
                checked={gone}
                onChange={(event) => setGone(event.currentTarget.checked)}
                label={texts.registrarHasNoDs}
              />
            </>
          )}
        </OpForm>
      </Card>
    </div>
  )
}
