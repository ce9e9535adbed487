import { t } from '../i18n/language.ts'
import { CopyLine } from '../ui/copy.tsx'
import { OpForm } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import type { ZoneData } from './zone.tsx'

/** DNSSEC: signing, and the DS records for the registrar. */
export default function ZoneSigning({ zone }: { zone: ZoneData }) {
  const { dnssec } = zone
  const params = { zona: zone.zona }
  if (!dnssec.activo) {
    return (
      <Card title={t('The zone is not signed', 'La zona no está firmada')}>
        <OpForm
          op="POST /api/zonas/:zona/dnssec"
          input={{ params }}
          submit={t('Sign the zone', 'Firmar la zona')}
          done={() => announce(t('Signed.', 'Firmada.'))}
        >
          {() => (
            <p>
              {t(
                'The panel signs it and shows the DS records; resolvers check it once they stand at the registrar.',
                'El panel la firma y muestra los registros DS; los resolvers la comprueban cuando estén en el registrador.',
              )}
            </p>
          )}
        </OpForm>
      </Card>
    )
  }
  return (
    <div className="halves">
      <Card title={<State state="activo" label={t('Signed', 'Firmada')} />}>
        <p>{t('Put these DS records at the registrar:', 'Ponga estos registros DS en el registrador:')}</p>
        {dnssec.ds.map((ds) => (
          <CopyLine key={ds} value={ds} label={t('Copy the DS record', 'Copiar el registro DS')} />
        ))}
        {dnssec.ds.length === 0 ? (
          <p className="faint">{t('The keys are being made.', 'Se están creando las claves.')}</p>
        ) : null}
      </Card>
      <Card title={t('Stop signing', 'Dejar de firmar')}>
        <OpForm
          op="DELETE /api/zonas/:zona/dnssec"
          input={{ params }}
          submit={t('Stop signing', 'Dejar de firmar')}
          danger
          done={() => announce(t('No longer signed.', 'Ya no está firmada.'))}
        >
          {() => (
            <Note
              tone="bad"
              title={t(
                'First take the DS records out at the registrar',
                'Antes quite los registros DS en el registrador',
              )}
            >
              <p>
                {t(
                  'and wait for their TTL. Otherwise the zone stops resolving for everybody who checks.',
                  'y espere su TTL. Si no, la zona deja de resolver para todo el que comprueba.',
                )}
              </p>
            </Note>
          )}
        </OpForm>
      </Card>
    </div>
  )
}
