import type { OutputOf } from '../../../api/operations.ts'
import { Card } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Records } from '../records/records-data.ts'
import { keysOf, mxOf, providerOf, stillToCome } from './missing.ts'
import { MailSetup } from './setup.tsx'
import { texts } from './texts.ts'
import { ToCome } from './to-come.tsx'

type Mail = OutputOf<'GET /api/zonas/:zona/correo'>
type Line = { name: string; found: string[]; tone: 'good' | 'warn' | 'off'; words: string }
type Props = { zona: string; found: Mail; records: Records; refresh: () => void }

/** The four things that a domain's mail needs, and what of them is there. */
export function MailLines({ zona, found, records, refresh }: Props) {
  const provider = providerOf(records.rows)
  const isLeft = provider !== null && stillToCome(provider, records.rows).length > 0
  return (
    <>
      <Card
        title={texts.mailOfTheDomain}
        flush
        actions={<MailSetup zona={zona} records={records} refresh={refresh} />}
      >
        <Table
          label={texts.mailOfTheDomain}
          rows={linesOf(found, records)}
          rowKey={({ name }) => name}
          columns={[
            { head: texts.what, cell: ({ name }) => name },
            {
              head: texts.state,
              narrow: true,
              cell: ({ tone, words }) => (
                <span className={`state tone-${tone}`}>
                  <Glyph tone={tone} />
                  {words}
                </span>
              ),
            },
            {
              head: texts.value,
              long: true,
              cell: ({ found }) =>
                found.map((one) => (
                  <code key={one} className="block">
                    {one}
                  </code>
                )),
            },
          ]}
        />
      </Card>
      {isLeft ? (
        <Card title={texts.leftToDo}>
          <ToCome zona={zona} records={records} />
        </Card>
      ) : null}
    </>
  )
}

function linesOf({ recibe, spf, dmarc }: Mail, { rows }: Records): Line[] {
  const mx = mxOf(rows)
  const keys = keysOf(rows)
  const serious = spf.problemas.filter((problem) => problem !== 'sin_respuesta')
  return [
    { name: texts.whoReceives, found: mx, ...(recibe ? SET() : mx.length > 0 ? NONE() : MISSING()) },
    {
      name: texts.whoMaySend,
      found: spf.registros,
      ...(serious.length === 0 ? SET() : spf.problemas.includes('falta') ? MISSING() : BETTER()),
    },
    { name: texts.howMailIsSigned, found: keys, ...(keys.length > 0 ? SET() : recibe ? MISSING() : NONE()) },
    {
      name: texts.whatHappensElse,
      found: dmarc.registros,
      ...(dmarc.propuesta === null ? SET() : dmarc.problemas.includes('falta') ? MISSING() : BETTER()),
    },
  ]
}

const SET = () => ({ tone: 'good' as const, words: texts.isSet })
const MISSING = () => ({ tone: 'warn' as const, words: texts.isMissing })
const BETTER = () => ({ tone: 'warn' as const, words: texts.canBeBetter })
const NONE = () => ({ tone: 'off' as const, words: texts.isNotNeeded })
