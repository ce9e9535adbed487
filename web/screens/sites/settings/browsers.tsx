import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { OutputOf } from '../../../api/operations.ts'
import { common } from '../../../text/common.ts'
import { fieldWords } from '../../../text/field-names.ts'
import { Choice } from '../../../ui/forms/fields.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Card } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { texts } from './texts.ts'

type SiteData = OutputOf<'GET /api/sitios/:domain'>
type Classes = NonNullable<SiteData['cache']>['tipos']
type Class = keyof Classes

const CLASSES: Class[] = ['imagenes', 'fuentes', 'estilos', 'medios', 'documentos', 'html']
const NO_CACHE = { segundos: null, parametros: [], estaticos: false, tipos: {} }
const [HOUR, DAY, WEEK, MONTH, YEAR] = [3_600, 86_400, 604_800, 2_592_000, 31_536_000]

/** How long browsers keep a site's files. */
export function SiteBrowsers({ site }: { site: SiteData }) {
  return (
    <Card title={texts.browsers}>
      <Settings key={JSON.stringify(site.cache)} site={site} />
    </Card>
  )
}

function Settings({ site: { domain, cache } }: { site: SiteData }) {
  const { segundos, parametros, ...kept } = cache ?? NO_CACHE
  const [estaticos, setFiles] = useState(kept.estaticos)
  const [tipos, setClasses] = useState<Classes>(kept.tipos)
  const isNone = segundos === null && !estaticos && Object.keys(tipos).length === 0
  const wanted = isNone ? null : { segundos, parametros, estaticos, tipos }
  return (
    <OpForm
      op="PATCH /api/sitios/:domain"
      input={{ params: { domain }, body: { cache: wanted } }}
      submit={common.save}
      done={() => announce(common.saved)}
    >
      {(error) => (
        <>
          <Switch
            checked={estaticos}
            onChange={(event) => setFiles(event.currentTarget.checked)}
            label={texts.keepFiles}
            description={texts.keepFilesHint}
          />
          <p className="faint small">{texts.classesHint}</p>
          <div className="class-times">
            {CLASSES.map((one) => (
              <Choice
                key={one}
                label={fieldWords(one)}
                value={codeOf(tipos[one])}
                onChange={(code) => setClasses(changed(tipos, one, code))}
                error={error(`cache.tipos.${one}.segundos`)}
                options={timesFor(tipos[one])}
              />
            ))}
          </div>
        </>
      )}
    </OpForm>
  )
}

const codeOf = (kept: Classes[Class]): string => (kept ? `${kept.segundos}${kept.inmutable ? '!' : ''}` : '')

function changed(classes: Classes, one: Class, code: string): Classes {
  const { [one]: _, ...others } = classes
  if (code === '') return others
  return { ...others, [one]: { segundos: Number.parseInt(code, 10), inmutable: code.endsWith('!') } }
}

/** A time that was set otherwise stays offered. */
function timesFor(kept: Classes[Class]): { value: string; label: string }[] {
  const offered = [
    { value: '', label: texts.asAbove },
    { value: '0', label: texts.askEachTime },
    { value: String(HOUR), label: texts.oneHour },
    { value: String(DAY), label: texts.oneDay },
    { value: String(WEEK), label: texts.oneWeek },
    { value: String(MONTH), label: texts.oneMonth },
    { value: String(YEAR), label: texts.oneYear },
    { value: `${YEAR}!`, label: texts.forGood },
  ]
  const value = codeOf(kept)
  if (kept === undefined || offered.some((one) => one.value === value)) return offered
  const label = kept.inmutable ? texts.otherForGood(kept.segundos) : texts.otherTime(kept.segundos)
  return [...offered, { value, label }]
}
