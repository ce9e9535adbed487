import { useRead } from '../../api/hooks.ts'
import { t } from '../../i18n/language.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, useFilter } from '../../ui/fields.tsx'
import { Card, PageHead, Waiting } from '../../ui/page.tsx'
import { AccountCard } from './account.tsx'
import { AccountForm } from './account-form.tsx'
import { MirrorTable } from './table.tsx'

/** The DNS provider account of a node, and the zones that are mirrored to it. */
export default function ProviderPage() {
  const nodes = useRead('GET /api/nodos', { query: { limite: '200' } })
  const names = (nodes.data?.datos ?? []).map(({ nodo }) => nodo)
  const [chosen, setChosen] = useFilter('nodo')
  const node = chosen || (names.length > 1 ? names[0] : undefined)
  return (
    <>
      <PageHead
        title={t('Provider and mirror', 'Proveedor y espejo')}
        lead={t(
          'Copies of single zones at a DNS provider, kept equal by this panel.',
          'Copias de zonas sueltas en un proveedor de DNS, que este panel mantiene iguales.',
        )}
      />
      {names.length > 1 ? (
        <div className="filters">
          <Choice
            label={t('Node', 'Nodo')}
            value={node ?? ''}
            onChange={setChosen}
            options={names.map((name) => ({ value: name, label: name }))}
          />
        </div>
      ) : null}
      {nodes.isPending ? <Waiting /> : <OfNode key={node} node={node} />}
    </>
  )
}

function OfNode({ node }: { node: string | undefined }) {
  const account = useRead(
    'GET /api/dns/proveedor',
    { query: node ? { nodo: node } : {} },
    { again: () => 15_000 },
  )
  const none = account.error?.codigo === 'proveedor_no_existe'
  return (
    <div className="stack">
      {none ? (
        <Card title={t('Enter the DNS provider account', 'Añadir la cuenta del proveedor de DNS')}>
          <div className="measure">
            <AccountForm node={node} account={null} done={() => void account.refetch()} />
          </div>
        </Card>
      ) : account.data ? (
        <AccountCard account={account.data} node={node} />
      ) : account.error ? (
        <ErrorNote error={account.error} retry={() => void account.refetch()} />
      ) : (
        <Waiting />
      )}
      <MirrorTable node={node} canAdd={!none && account.data !== undefined} />
    </div>
  )
}
