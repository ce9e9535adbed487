import { useAbsent, useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import { useFilter } from '../../ui/forms/filters.tsx'
import { Card, PageHead, Waiting } from '../../ui/page.tsx'
import { AccountCard } from './account.tsx'
import { AccountForm } from './account-form.tsx'
import { MirrorTable } from './table.tsx'
import { texts } from './texts.ts'

/** The DNS provider account of a node, and the zones that are mirrored to it. */
export default function ProviderPage() {
  const nodes = useRead('GET /api/nodos', { query: { limite: '200' } })
  const names = (nodes.data?.datos ?? []).map(({ nodo }) => nodo)
  const [chosen, setChosen] = useFilter('nodo')
  const node = chosen || (names.length > 1 ? names[0] : undefined)
  return (
    <>
      <PageHead title={common.providerAndMirror} lead={texts.whatTheMirrorIs} />
      {names.length > 1 ? (
        <div className="filters">
          <Choice
            label={common.node}
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
  const none = useAbsent(account, 'proveedor_no_existe')
  return (
    <div className="stack">
      {none ? (
        <Card title={texts.enterTheAccount}>
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
