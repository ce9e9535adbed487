import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useAction } from '../api/hooks.ts'
import type { OutputOf } from '../api/operations.ts'
import { number } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { ApiCall } from '../ui/api-call.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { TextArea } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { announce } from '../ui/toast.tsx'
import type { ZoneData } from './zone.tsx'

type Outcome = OutputOf<'POST /api/zonas/:zona/importar'>

/** A zone as a file, out and in. */
export default function ZoneTransfer({ zone }: { zone: ZoneData }) {
  return (
    <div className="halves">
      <Card title={t('Import', 'Importar')}>
        <Import zone={zone} />
      </Card>
      <Card title={t('Export', 'Exportar')}>
        <Export zone={zone} />
      </Card>
    </div>
  )
}

/** The import replaces the zone, so it is looked at before: the button comes with the preview. */
function Import({ zone }: { zone: ZoneData }) {
  const params = { zona: zone.zona }
  const [text, setText] = useState('')
  const [preview, setPreview] = useState<{ of: string; outcome: Outcome } | null>(null)
  const dry = useAction('POST /api/zonas/:zona/importar')
  const file = useRef<HTMLInputElement>(null)
  const body = new TextEncoder().encode(text)
  const look = async () => {
    const answer = await dry.run({ params, query: { simular: 'si' }, body })
    setPreview(answer ? { of: text, outcome: answer.data } : null)
  }
  const current = preview?.of === text ? preview.outcome : null
  return (
    <OpForm
      op="POST /api/zonas/:zona/importar"
      input={{ params, body }}
      submit={t('Replace the zone', 'Sustituir la zona')}
      danger
      disabled={current === null || current.rechazados.length > 0}
      done={({ data }) => {
        setText('')
        setPreview(null)
        announce(`${t('Imported:', 'Importada:')} +${data.anadidos} ~${data.cambiados} −${data.borrados}`)
      }}
      beside={
        <Button variant="default" loading={dry.busy} disabled={text.trim() === ''} onClick={look}>
          {t('Preview', 'Previsualizar')}
        </Button>
      }
    >
      {() => (
        <>
          <p className="small faint">
            {t(
              'The zone becomes what the file says; its own NS and SOA stay. If one line is refused, nothing is changed.',
              'La zona pasa a ser lo que dice el archivo; sus propios NS y SOA se quedan. Si se rechaza una línea, no cambia nada.',
            )}
          </p>
          <div>
            <input
              ref={file}
              type="file"
              hidden
              accept=".zone,.txt,.db,text/dns,text/plain"
              onChange={async (event) => {
                const chosen = event.currentTarget.files?.[0]
                if (chosen) setText(await chosen.text())
              }}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="upload" size={14} />}
              onClick={() => file.current?.click()}
            >
              {t('Choose a file', 'Elegir un archivo')}
            </Button>
          </div>
          <TextArea
            mono
            rows={10}
            label={t('Zone file', 'Archivo de zona')}
            value={text}
            onChange={setText}
            placeholder={'@ 3600 IN A 192.0.2.10\nwww 3600 IN CNAME @'}
          />
          {dry.error ? <ErrorNote error={dry.error} /> : null}
          {current ? <Preview outcome={current} /> : null}
        </>
      )}
    </OpForm>
  )
}

function Preview({ outcome }: { outcome: Outcome }) {
  if (outcome.rechazados.length > 0) {
    return (
      <Note
        tone="bad"
        title={t(
          'These lines are refused; nothing would change.',
          'Estas líneas se rechazan; no cambiaría nada.',
        )}
      >
        <Table
          label={t('Refused lines', 'Líneas rechazadas')}
          rows={outcome.rechazados}
          rowKey={({ linea, motivo }) => `${linea}${motivo}`}
          columns={[
            { head: t('Line', 'Línea'), narrow: true, cell: ({ linea }) => number(linea) },
            { head: t('Why', 'Por qué'), cell: ({ motivo }) => motivo },
          ]}
        />
      </Note>
    )
  }
  const { anadidos, cambiados, borrados } = outcome
  return (
    <Note tone={borrados > 0 ? 'warn' : 'info'} title={t('What would change', 'Qué cambiaría')}>
      <p className="diff">
        <span>
          +{number(anadidos)} {t('added', 'añadidos')}
        </span>
        <span>
          ~{number(cambiados)} {t('changed', 'cambiados')}
        </span>
        <span>
          −{number(borrados)} {t('deleted', 'borrados')}
        </span>
      </p>
    </Note>
  )
}

function Export({ zone }: { zone: ZoneData }) {
  const params = { zona: zone.zona }
  const read = useAction('GET /api/zonas/:zona/exportar')
  const [text, setText] = useState<string | null>(null)
  const show = async () => {
    const answer = await read.run({ params })
    if (answer) setText(answer.data)
    return answer?.data ?? null
  }
  const download = async () => {
    const content = await show()
    if (content === null) return
    const url = URL.createObjectURL(new Blob([content], { type: 'text/dns' }))
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = `${zone.zona}.zone`
    anchor.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className="form">
      <div className="form-foot">
        <Button loading={read.busy} leftSection={<Icon name="download" />} onClick={download}>
          {t('Download', 'Descargar')}
        </Button>
        <Button variant="default" onClick={show}>
          {t('Show', 'Mostrar')}
        </Button>
      </div>
      {read.error ? <ErrorNote error={read.error} /> : null}
      {text === null ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="zone-lines zone-file" tabIndex={0}>
          {text}
        </pre>
      )}
      <ApiCall op="GET /api/zonas/:zona/exportar" input={{ params }} />
    </div>
  )
}
