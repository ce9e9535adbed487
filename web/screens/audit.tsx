import { t } from '../i18n/language.ts'
import { SearchFilter, useFilter } from '../ui/fields.tsx'
import { PageHead } from '../ui/page.tsx'
import AuditTable from './audit-table.tsx'

export default function Audit() {
  const [cliente] = useFilter('cliente')
  const [actor] = useFilter('actor')
  const [operacion] = useFilter('operacion')
  return (
    <>
      <PageHead
        title={t('Audit trail', 'Auditoría')}
        wire="GET /api/auditoria"
        lead={t(
          'Every change and every refusal: who, what, when, with which request.',
          'Cada cambio y cada rechazo: quién, qué, cuándo y con qué petición.',
        )}
      />
      <div className="filters">
        <SearchFilter name="cliente" label={t('Client', 'Cliente')} />
        <SearchFilter name="actor" label={t('Who (exact)', 'Quién (exacto)')} />
        <SearchFilter
          name="operacion"
          label={t('Operation begins with', 'La operación empieza por')}
          placeholder="POST /clientes"
        />
      </div>
      <AuditTable
        filters={{
          ...(cliente ? { cliente } : {}),
          ...(actor ? { actor } : {}),
          ...(operacion ? { operacion } : {}),
        }}
      />
    </>
  )
}
