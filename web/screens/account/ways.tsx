import { useState } from 'react'
import { common } from '../../text/common.ts'
import { dateTime, number, ways } from '../../text/format.ts'
import { chooseLanguage, language } from '../../text/language.ts'
import { Choice } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'

type Chosen = Pick<Me, 'idioma' | 'region' | 'zona_horaria'>

/** Where people read Spanish or English, and the rest of Europe; the API takes any country. */
const REGIONS =
  'AR AT AU BE BO BR CA CH CL CO CR CU CZ DE DK DO EC ES FI FR GB GR GT HN IE IN IT MX NI NL NO NZ PA PE PL PR PT PY SE SV US UY VE ZA'.split(
    ' ',
  )

/** The language of this person's screens and mails, and how dates and numbers are written. */
export function OwnWays({ me }: { me: Me }) {
  const saved: Chosen = { idioma: me.idioma, region: me.region, zona_horaria: me.zona_horaria }
  const [chosen, setChosen] = useState(saved)
  const set = (change: Partial<Chosen>) => setChosen({ ...chosen, ...change })
  const done = () => {
    ways.set({ region: chosen.region, timeZone: chosen.zona_horaria })
    chooseLanguage(chosen.idioma)
    announce(common.saved)
  }
  return (
    <Card title={texts.languageAndFormats}>
      <OpForm
        op="PATCH /api/yo"
        input={{ body: chosen }}
        submit={common.save}
        disabled={JSON.stringify(chosen) === JSON.stringify(saved)}
        done={done}
      >
        {(error) => (
          <>
            <Choice
              label={texts.language}
              description={texts.languageHint}
              value={chosen.idioma}
              onChange={(value) => set({ idioma: value === 'es' ? 'es' : 'en' })}
              error={error('idioma')}
              options={[
                { value: 'es', label: 'Español' },
                { value: 'en', label: 'English' },
              ]}
            />
            <Choice
              label={texts.region}
              description={texts.regionHint(dateTime(new Date().toISOString()), number(1234567))}
              value={chosen.region ?? ''}
              onChange={(value) => set({ region: value || null })}
              error={error('region')}
              options={[{ value: '', label: texts.asTheBrowser }, ...regions(chosen.region)]}
            />
            <Choice
              label={texts.timeZone}
              value={chosen.zona_horaria ?? ''}
              onChange={(value) => set({ zona_horaria: value || null })}
              error={error('zona_horaria')}
              options={[{ value: '', label: texts.asTheBrowser }, ...zones(chosen.zona_horaria)]}
            />
          </>
        )}
      </OpForm>
    </Card>
  )
}

/** One that was set through the API is offered too. */
const withOwn = (offered: string[], own: string | null) =>
  own === null || offered.includes(own) ? offered : [own, ...offered]

function regions(own: string | null) {
  const names = new Intl.DisplayNames([language.get()], { type: 'region' })
  return withOwn(REGIONS, own)
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, language.get()))
}

/** By continent: there are more than four hundred. */
function zones(own: string | null) {
  const all = withOwn(Intl.supportedValuesOf('timeZone'), own).filter((name) => name !== 'UTC')
  const continents = Map.groupBy(all, (name) => name.split('/')[0] ?? name)
  return [
    { value: 'UTC', label: 'UTC' },
    ...[...continents].map(([name, places]) => ({
      group: continentWord(name),
      items: places.map((value) => ({ value, label: placeWord(value) })),
    })),
  ]
}

const placeWord = (zone: string) => zone.split('/').slice(1).join(', ').replaceAll('_', ' ') || zone

/** As regions of the world are numbered by the United Nations (M.49), or countries by ISO 3166. */
const CONTINENTS: Record<string, string> = {
  ...{ Africa: '002', America: '019', Antarctica: 'AQ', Arctic: 'SJ' },
  ...{ Asia: '142', Australia: 'AU', Europe: '150', Pacific: '009' },
}

function continentWord(name: string): string {
  if (name === 'Atlantic') return texts.atlantic
  if (name === 'Indian') return texts.indian
  const code = CONTINENTS[name]
  return (code && new Intl.DisplayNames([language.get()], { type: 'region' }).of(code)) ?? name
}
