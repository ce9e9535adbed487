import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../i18n/language.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Zone } from './zone-state.tsx'

/** Signing of a zone: on or off, and the DS records that the registrar needs. */
export function DnssecTab({ zone }: { zone: Zone }) {
  return zone.dnssec.activo ? <Signed zone={zone} /> : <Unsigned zone={zone} />
}

function Unsigned({ zone }: { zone: Zone }) {
  return (
    <Card title="DNSSEC">
      <OpForm
        op="POST /api/zonas/:zona/dnssec"
        input={{ params: { zona: zone.zona } }}
        submit={t('Sign the zone', 'Firmar la zona')}
        done={() => announce(t('The zone is signed', 'La zona está firmada'))}
      >
        {() => (
          <>
            <p>
              <State state="inactiva" label={t('Not signed', 'Sin firmar')} />
            </p>
            <p className="measure">
              {t(
                'Signing lets resolvers notice forged answers. It takes effect when the DS records that appear here are entered at the registrar.',
                'La firma permite a los resolvers notar respuestas falsificadas. Tiene efecto cuando los registros DS que aparecerán aquí se ponen en el registrador.',
              )}
            </p>
            {zone.espejo ? (
              <Note tone="warn" title={t('This zone is mirrored.', 'Esta zona tiene espejo.')}>
                <p>
                  {t(
                    'The copy at the provider is not signed with these keys: with both as name servers, put no DS at the registrar.',
                    'La copia en el proveedor no se firma con estas claves: si ambos son servidores de nombres, no ponga DS en el registrador.',
                  )}
                </p>
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
      <Card
        title={t('DS records for the registrar', 'Registros DS para el registrador')}
        wire="GET /api/zonas/:zona"
      >
        <p>
          <State state="activa" label={t('Signed', 'Firmada')} />
        </p>
        {dnssec.ds.length > 0 ? (
          <div className="zone-ds">
            {dnssec.ds.map((ds) => (
              <CopyLine key={ds} value={ds} label={t('Copy the DS record', 'Copiar el registro DS')} />
            ))}
          </div>
        ) : (
          <p role="status">{t('The keys are being made…', 'Se están creando las claves…')}</p>
        )}
        <p className="measure faint small">
          {t(
            'Key tag, algorithm, digest type and digest, in this order. One is enough where a registrar takes only one.',
            'Etiqueta de clave, algoritmo, tipo de resumen y resumen, en este orden. Basta uno si el registrador solo admite uno.',
          )}
        </p>
      </Card>
      <Card title={t('Stop signing', 'Dejar de firmar')}>
        <OpForm
          op="DELETE /api/zonas/:zona/dnssec"
          input={{ params: { zona } }}
          submit={t('Stop signing', 'Dejar de firmar')}
          danger
          disabled={!gone}
          done={() => announce(t('The zone is not signed any more', 'La zona ya no está firmada'))}
        >
          {() => (
            <>
              <p className="measure">
                {t(
                  'First take the DS records out at the registrar, and wait for their TTL (often a day). Else the domain stops resolving.',
                  'Antes, quite los registros DS en el registrador y espere su TTL (a menudo un día). Si no, el dominio deja de resolver.',
                )}
              </p>
              <Checkbox
                checked={gone}
                onChange={(event) => setGone(event.currentTarget.checked)}
                label={t(
                  'The registrar has no DS of this zone any more',
                  'El registrador ya no tiene DS de esta zona',
                )}
              />
            </>
          )}
        </OpForm>
      </Card>
    </div>
  )
}
