import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { fieldWords } from '../../../text/field-names.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Card } from '../../../ui/page.tsx'
import { Note } from '../../../ui/state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from './htaccess-texts.ts'

const OP = 'POST /api/sitios/:domain/htaccess'
type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Told = OutputOf<typeof OP>
type Reason = (Told['cambia'] | Told['deja'])[number]['motivo']
type Row = { key: string; where: string; text: string; outcome: string; about: string }

/** Translates a site's `.htaccess` files into its settings, once they were looked at. */
export function SiteHtaccess({ site: { domain } }: { site: SiteData }) {
  const [told, setTold] = useState<Told | null>(null)
  const look = useAction(OP)
  const preview = async () => {
    const answer = await look.run({ params: { domain }, query: { simular: 'si' } })
    setTold(answer?.data ?? null)
  }
  const isReady = told !== null && !told.aplicado && Object.keys(told.ajustes).length > 0
  return (
    <Card title={texts.title}>
      <OpForm
        op={OP}
        input={{ params: { domain } }}
        submit={texts.apply}
        disabled={!isReady}
        beside={
          <Button variant="default" loading={look.busy} onClick={preview}>
            {texts.preview}
          </Button>
        }
        done={({ data }) => {
          setTold(data)
          announce(common.saved)
        }}
      >
        {() => (
          <>
            <p className="faint small">{texts.hint}</p>
            {look.error ? <ErrorNote error={look.error} /> : null}
            {told ? <Translation told={told} /> : null}
          </>
        )}
      </OpForm>
    </Card>
  )
}

function Translation({ told }: { told: Told }) {
  const rows = rowsOf(told)
  const settings = Object.keys(told.ajustes).map(labelOf)
  if (rows.length === 0) return <p>{texts.none}</p>
  return (
    <>
      {told.completo ? null : <Note tone="warn" title={texts.notWhole} />}
      {told.aplicado ? null : (
        <p>{settings.length > 0 ? `${texts.wouldSet} ${settings.join(', ')}.` : texts.wouldSetNothing}</p>
      )}
      <Table label={texts.title} rows={rows} rowKey={({ key }) => key} columns={columns()} />
    </>
  )
}

/** What is left comes first: it is what its owner has to see to. */
function rowsOf({ toma, cambia, deja }: Told): Row[] {
  const row = (kind: 'left' | 'changed' | 'taken') => (one: Told['toma'][number] & { motivo?: Reason }) => ({
    key: `${kind} ${one.archivo} ${one.linea}`,
    where: one.linea === null ? one.archivo : `${one.archivo}:${one.linea}`,
    text: one.texto,
    outcome: texts[kind],
    about: aboutOf(one),
  })
  return [...deja.map(row('left')), ...cambia.map(row('changed')), ...toma.map(row('taken'))]
}

/** Of a site's cache only what browsers keep can stand in such a file. */
const labelOf = (setting: string): string => (setting === 'cache' ? texts.inBrowsers : fieldWords(setting))

function aboutOf({ ajuste, motivo }: { ajuste: string | null; motivo?: Reason }): string {
  const setting = ajuste === null ? null : labelOf(ajuste)
  const reason = motivo === undefined ? null : texts[motivo]
  if (setting === null) return reason ?? texts.holdsAnyway
  return reason === null ? setting : `${setting}: ${reason}`
}

const columns = (): Column<Row>[] => [
  {
    head: texts.line,
    long: true,
    cell: ({ where, text }) => (
      <>
        <code>{text}</code>
        <div className="faint small">{where}</div>
      </>
    ),
  },
  { head: texts.outcome, cell: ({ outcome }) => outcome },
  { head: texts.what, long: true, cell: ({ about }) => about },
]
